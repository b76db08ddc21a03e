"""The theory of notebook 02: hulls, the path over C, ROC curves, bounds, a margin by hand."""
