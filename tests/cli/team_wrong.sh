# A plugin built for another MPI than the one that started the processes connects nobody, and says so.
. "$data/team.inc"
other=$(ls "$(dirname "$eccentric")"/libeccentric_team_*.so | grep -v "_$family.so")
[ -n "$other" ] || { echo "skipped: only one MPI is installed"; exit 77; }
ECCENTRIC_TEAM=$other team 2 train glyphs --items 400 --out bad | any_mpi
ls bad 2>/dev/null || echo "nothing was written"
