"""The theory of notebook 08: images in any number, and how costs grow with them."""
