package transformer

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// #endif
//
// static void give_back(void) {
// #ifdef __GLIBC__
//   malloc_trim(0);
// #endif
// }
import "C"

// giveBack returns freed memory of C to the system. glibc would keep it, about 100 MB of a model of
// 133 MB (bench/history/models.md).
func giveBack() { C.give_back() }
