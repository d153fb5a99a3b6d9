"""
Fixes made: one after another in the files of a run, and chains of them that resolve every finding.

In: designs with findings and their proven fixes. Out: new texts of the files, and what was fixed, left and refused.
It knows no rule and no command: what a fix is worth is decided in `fixes`.
"""
