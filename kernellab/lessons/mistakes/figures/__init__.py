"""The live figures and marks of code that is wrong on purpose."""
