"""The live figures and marks of notebook 07: landmarks, random features, kernel weights."""
