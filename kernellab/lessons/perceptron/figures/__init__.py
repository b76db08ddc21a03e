"""The live figures and marks of notebook 01: losses, lines, mistakes, shattering."""
