"""Checks and hints for the exercises: one file a notebook."""
