# team_hang.sh with MPICH.  Its mpirun kills all when one process was killed, perhaps before one of ours says which: team_hang_mpich.out.
mpirun=mpirun.mpich
. "$data/team_hang.sh"
