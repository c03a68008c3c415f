# team_hang.sh with MPICH.  Its mpirun kills all when one process was killed, so that none of ours says which: team_hang_mpich.out.
mpirun=mpirun.mpich
. "$data/team_hang.sh"
