# The completions for bash, zsh and fish: they answer the same.  A shell that is not installed is not asked.
set -e
export LC_ALL=C
mkdir scripts files
for shell in bash zsh fish; do "$eccentric" help --completion $shell >scripts/eccentric.$shell; done
cp scripts/eccentric.zsh scripts/_eccentric
: >files/one.npy
cat >lines <<END
eccentric th
eccentric theory 
eccentric theory ra
eccentric help th
eccentric help theory 
eccentric help --completion 
eccentric --
eccentric theory radius --
eccentric theory radius --m 
eccentric theory radius --dim 
eccentric loss z.npy --pairs 
eccentric loss --pairs=
eccentric loss --pairs=d
eccentric loss o
eccentric loss --gradient 
eccentric simulate --start nor
eccentric simulate --start o
eccentric simulate --mu 1 --points 
eccentric reproduce table
eccentric reproduce --out o
eccentric sample run -n 
END
(cd files && bash --norc --noprofile "$data/completion.bash" ../scripts/eccentric.bash <../lines) | tee expected
# compare SHELL ARGUMENTS...: its answers are bash's
compare() {
    command -v "$1" >/dev/null || return 0
    $1 -n "scripts/eccentric.$1"
    (cd files && "$@" <../lines) | diff expected - || echo "$1 differs"
}
compare zsh -f "$data/completion.zsh" "$PWD/scripts"
HOME=$PWD XDG_CONFIG_HOME=$PWD compare fish --no-config "$data/completion.fish" ../scripts/eccentric.fish
echo "# no such shell"
"$eccentric" help --completion tcsh || echo "-> $?"
