"""
Compiled rules, what they say to people, and which of them are selected, at which severity and limits.

In: a bundle and settings. Out: rules that can be asked, margins, and sentences with their values filled in.
It knows no design and no finding.
"""
