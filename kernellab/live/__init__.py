"""The interactive figures: one front end, one Explorer, one file a notebook."""
