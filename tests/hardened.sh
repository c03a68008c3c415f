#!/bin/sh
# Whether a program and libraries were made by hardening (ECC_HARDEN): PIE, all relocations read-only before main, no
# executable stack, checked return addresses and library calls, on x86 marked jump targets; and that none looks for libraries
# in the current directory.
# usage: hardened.sh FILE...
set -u
command -v readelf >/dev/null || { echo "readelf is not installed"; exit 77; }
bad=0
fail() { echo "$1: $2"; bad=1; }
for file in "$@"; do
    header=$(readelf -hW "$file") dynamic=$(readelf -dW "$file") segments=$(readelf -lW "$file")
    symbols=$(readelf -sW --dyn-syms "$file") notes=$(readelf -nW "$file" 2>/dev/null)
    case $header in *"DYN ("*) ;; *) fail "$file" "is not position-independent" ;; esac
    case $segments in *GNU_RELRO*) ;; *) fail "$file" "has no read-only relocations" ;; esac
    case $dynamic in *BIND_NOW* | *" NOW"*) ;; *) fail "$file" "binds functions lazily, so that their table stays writable" ;; esac
    # an empty or relative element is the current directory: whatever lies there would be loaded
    paths=$(echo "$dynamic" | sed -n 's/.*(R[A-Z]*PATH).*\[\(.*\)\]/:\1:/p')
    case $paths in *::* | *:[!/$:]*) fail "$file" "loads libraries from the current directory" ;; esac
    echo "$segments" | grep -E 'GNU_STACK.* RWE ' >/dev/null && fail "$file" "has an executable stack"
    case $symbols in *__stack_chk_fail*) ;; *) fail "$file" "has no stack protector" ;; esac
    case $symbols in *_chk@*) ;; *) fail "$file" "calls no checked functions of the C library" ;; esac
    case $header in *X86-64*)
        # the C runtime's own start files must have it, too: where they do not, nothing can
        crt=$(${CC:-cc} -print-file-name=crti.o)
        readelf -nW "$crt" 2>/dev/null | grep -q IBT || continue
        case $notes in *IBT*SHSTK*) ;; *) fail "$file" "is not marked for CET" ;; esac ;;
    esac
done
[ $bad = 0 ] && echo "$# files are hardened"
exit $bad
