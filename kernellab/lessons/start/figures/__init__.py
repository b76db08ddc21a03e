"""The figure that greets."""
