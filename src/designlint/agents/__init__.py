"""
Tools for programs that write designs, over the Model Context Protocol.

In come texts or paths of designs and questions. Out go the answers of the commands, in few words. Nothing is written, nothing is
fetched. It is the only room that knows the protocol, and calculates nothing itself.
"""
