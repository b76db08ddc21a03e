"""The algorithms, one family a file: a visible pass, and a generator of states around it."""
