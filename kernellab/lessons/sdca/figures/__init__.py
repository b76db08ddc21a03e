"""The live figures and marks of notebook 05: one coordinate, a whole run, and the gap."""
