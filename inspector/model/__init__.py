"""What the file says: the model as immutable values over a weightless graph."""
