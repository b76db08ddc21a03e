"""The theory of notebook 02: hulls, the path over C, the soft margin read, nested sets."""
