"""The theory of notebook 04: sparse vectors, a bias that is not regularised, choosing a model."""
