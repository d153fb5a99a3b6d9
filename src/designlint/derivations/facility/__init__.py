"""
Power, cooling, racks, floors and feeds.

In: what a site, its rooms, racks and feeds state. Out: loads, reserves, redundancy, what a failure takes down.
It knows no job and no other room of derivations.
"""
