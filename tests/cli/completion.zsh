# What zsh completes the lines of standard input to; $1 is a directory with _eccentric in it.  zsh completes only while it
# edits a line, so another zsh runs behind a pseudo-terminal, where every match that is added is written to a file, too.
zmodload zsh/zpty || exit 1
export directory=$1 found=$(mktemp)
zpty inner zsh -f -i
zpty -w inner 'PS1= TERM=dumb fpath=($directory $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
    local -a matches
    [[ ${@[(I)-[ODA]]} != 0 ]] || { builtin compadd -O matches "$@"; print -rl -- $matches >>$found; }
    builtin compadd "$@"
}
finished() { print finished >>$found; zle kill-whole-line; }
zle -N finished; bindkey "^I" list-choices "^X" finished
print ready >>$found'
wait_for() { repeat 600; do grep -qs $1 $found && return; sleep 0.05; done; print "zsh does not answer"; exit 1; }
wait_for ready
while IFS= read -r line; do
    : >$found
    zpty -w -n inner $line$'\t\x18'
    wait_for finished
    print -r -- "> $line"
    grep -vx 'finished\|' $found | sort -u
done
zpty -d inner
rm -f $found
