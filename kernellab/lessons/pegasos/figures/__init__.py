"""The live figures and marks of notebook 04: steps, bounds, counts, words, choosing a model."""
