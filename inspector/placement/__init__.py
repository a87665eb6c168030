"""Who can run it: verdicts per node for a target, from constraint tables and the graph around the node."""
