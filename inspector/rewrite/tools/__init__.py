"""Tools: changes of the whole model, as opposed to rules, which fit at a node."""
