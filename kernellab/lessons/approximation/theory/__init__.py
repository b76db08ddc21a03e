"""The theory of notebook 07: the surface over the weights of three kernels."""
