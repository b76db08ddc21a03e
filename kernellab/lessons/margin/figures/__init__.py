"""The live figures and marks of notebook 02: margins, hulls, the dual, and C."""
