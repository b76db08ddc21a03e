"""The theory of notebook 03: the trick itself, expansions, class means, and what is no kernel."""
