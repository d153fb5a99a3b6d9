"""
A fabric as built against the fabric as designed.

In: two wirings. Out: which switches and servers are the same, by stated rules, and every difference as a finding with its place
in the design and in the dump. What is not in a dump is not seen; it may be there all the same.
"""
