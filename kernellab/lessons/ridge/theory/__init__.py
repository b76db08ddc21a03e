"""The theory of notebook 06: bias and variance, and the Gaussian process behind ridge."""
