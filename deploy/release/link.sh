#!/bin/sh
# Builds Go's linker with another order of functions: those of first.txt, which each start of patina
# runs, lie side by side. The kernel maps 64 KB around each page that is touched, so a start maps 3 MB
# of code instead of 14, and takes two thirds of the time.
#
#   link.sh FOLDER
#
# FOLDER gets the program that "go build -toolexec" takes. The linker is that of the Go that builds; of
# its flag -randlayout, which lays functions out at random, only the order is replaced.
set -eu
[ $# -eq 1 ] || { sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
source=$(go env GOROOT)/src/cmd/link/internal/ld/data.go
awk '
	/^\t\tr\.Shuffle\(len\(textp\), func\(i, j int\) \{$/ {
		print "\t\t_ = r"
		print "\t\tlist, err := os.ReadFile(os.Getenv(\"FIRST_FUNCTIONS\"))"
		print "\t\tif err != nil {\n\t\t\tExitf(\"functions that come first: %v\", err)\n\t\t}"
		print "\t\tfirst := map[string]bool{}"
		print "\t\tfor _, name := range strings.Split(string(list), \"\\n\") {\n\t\t\tfirst[name] = true\n\t\t}"
		print "\t\tsort.SliceStable(textp, func(i, j int) bool {"
		print "\t\t\treturn first[ldr.SymName(textp[i])] && !first[ldr.SymName(textp[j])]"
		getline # the exchange of two
		changed++
		next
	}
	{ print }
	END { exit changed != 1 }
' "$source" >"$folder/data.go" || { echo "link.sh: the linker of $(go env GOVERSION) has another form: $source has no place, or several, where functions are shuffled" >&2; exit 1; }
printf '{"Replace": {"%s": "%s"}}\n' "$source" "$folder/data.go" >"$folder/overlay.json"
GOOS='' GOARCH='' GOFLAGS='' CGO_ENABLED=0 go build -trimpath -overlay "$folder/overlay.json" -o "$folder/link" cmd/link
# Asked for its version, the linker answers as Go's own, so that what is in Go's cache stays valid.
cat >"$folder/toolexec" <<END
#!/bin/sh
tool=\$1
shift
case \$tool:\${1:-} in
*/link:-V=full) ;;
*/link:*) FIRST_FUNCTIONS='$here/first.txt' exec '$folder/link' -randlayout 1 "\$@" ;;
esac
exec "\$tool" "\$@"
END
chmod +x "$folder/toolexec"
