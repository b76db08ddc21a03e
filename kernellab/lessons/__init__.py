"""Checks and hints for the exercises: a module a notebook, with more by topic where it is long."""
