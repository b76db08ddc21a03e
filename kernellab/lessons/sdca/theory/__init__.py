"""The theory of notebook 05: a run of SDCA, recorded step by step."""
