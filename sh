plan: Round counts to what people buy -c echo "plan: Round counts to what people buy" > /work/main/.git/worktrees/int/COMMIT_EDITMSG
