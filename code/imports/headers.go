package imports

import (
	"path"
	"strings"

	"patina/code/lang"
	"patina/store/text"
)

// systemHeaders are headers of C (C23 without annexes), POSIX.1-2024, C++23, glibc, Windows and
// macOS. A file of such a name in a repository is a test, a shim or another project's.
var systemHeaders = text.Set(`aio.h alloca.h ar.h argp.h argz.h assert.h byteswap.h complex.h
	cpio.h crypt.h ctype.h devctl.h dirent.h dlfcn.h elf.h endian.h err.h errno.h error.h execinfo.h
	fcntl.h features.h fenv.h float.h fmtmsg.h fnmatch.h fstab.h ftw.h getopt.h glob.h grp.h iconv.h
	ifaddrs.h inttypes.h iso646.h langinfo.h libgen.h libintl.h limits.h link.h locale.h malloc.h
	math.h memory.h mntent.h monetary.h mqueue.h ndbm.h netdb.h nl_types.h ndir.h obstack.h paths.h
	poll.h printf.h pthread.h pty.h pwd.h regex.h resolv.h sched.h search.h semaphore.h setjmp.h
	shadow.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h
	stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h stropts.h syscall.h
	sysexits.h syslog.h tar.h termio.h termios.h tgmath.h threads.h time.h trace.h ucontext.h
	ulimit.h unistd.h utime.h utmp.h utmpx.h values.h wait.h wchar.h wctype.h wordexp.h
	emmintrin.h immintrin.h nmmintrin.h pmmintrin.h smmintrin.h tmmintrin.h wmmintrin.h x86intrin.h
	xmmintrin.h arm_neon.h arm_acle.h arm_sve.h cpuid.h intrin.h mmintrin.h
	windows.h winsock.h winsock2.h ws2tcpip.h winbase.h windef.h winnt.h process.h io.h direct.h
	conio.h tchar.h wincrypt.h winerror.h shlobj.h psapi.h dbghelp.h mswsock.h iphlpapi.h
	AvailabilityMacros.h Availability.h TargetConditionals.h crt_externs.h libproc.h copyfile.h
	algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat
	charconv chrono cinttypes ciso646 climits clocale cmath codecvt compare complex concepts
	condition_variable coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio
	cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque exception execution expected
	filesystem flat_map flat_set format forward_list fstream functional future generator
	initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map
	mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random
	ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream
	sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream
	syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
	uchar.h utility valarray variant vector version`)

// systemFolders are folders of system and kernel headers.
var systemFolders = text.Set(`arpa asm asm-generic bits bsm gnu libkern linux mach mach-o machine net
	netinet netinet6 netpacket objc os rpc scsi sys xlocale CoreFoundation CoreServices
	SystemConfiguration Security IOKit`)

// isSystem reports whether a header comes with a compiler or a system.
func isSystem(header string) bool {
	folder, _, deep := strings.Cut(header, "/")
	return systemHeaders.Has(header) || deep && systemFolders.Has(folder)
}

// followInclude searches as compilers do: for "x" beside the file, then at the root and in its
// include folder, then for the nearest path that ends in it. A system header is only found if the
// repository has it in its own include folder, or beside the file for "x".
func (r *Resolver) followInclude(from, imported string) Target {
	name := strings.TrimSuffix(strings.TrimPrefix(imported, "<"), ">")
	places := []string{path.Join("include", name)}
	if isSystem(name) {
		if name == imported {
			places = append(places, path.Join(FolderOf(from), name))
		}
		return r.header(places)
	}
	places = append([]string{path.Join(FolderOf(from), name), name}, places...)
	if name != imported {
		places = append(places[1:], places[0])
	}
	if t := r.header(places); t.found {
		return t
	}
	var ends []int
	for _, i := range r.byBase[path.Base(name)] {
		f := r.files[i]
		if isIncluded(f.Language) && strings.HasSuffix("/"+f.Path, "/"+strings.TrimPrefix(name, "../")) {
			ends = append(ends, i)
		}
	}
	return r.nearestOf(from, ends)
}

// header returns the first place that is a file. It tries no extensions, because an include has the
// whole name.
func (r *Resolver) header(places []string) Target {
	for _, p := range places {
		if i, ok := r.byPath[p]; ok && isIncluded(r.files[i].Language) {
			return Target{At: []int{i}, found: true}
		}
	}
	return Target{}
}

// isIncluded reports whether files of a language are included by path.
func isIncluded(language string) bool {
	return lang.Named(language).Names().Modules == lang.HeaderIncludes
}
