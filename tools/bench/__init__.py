"""Speed as ratios in one run: what is measured together, each module one group of rows."""
