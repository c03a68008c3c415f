# What bash completes the lines of standard input to, by the script $1: what the function finds, else files where it allows them.
source "$1"
compopt() { fall_back=no; }
while IFS= read -r line; do
    echo "> $line"
    fall_back=yes
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _eccentric
    [[ $fall_back == no || ${#COMPREPLY[@]} != 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
    [[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
done
