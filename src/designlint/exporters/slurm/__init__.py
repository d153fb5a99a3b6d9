"""What several of Slurm's files share: the tree of switches, the blocks of servers, names that Slurm takes."""
