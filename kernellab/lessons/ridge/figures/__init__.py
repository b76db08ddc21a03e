"""The live figures and marks of notebook 06: λ, what is left out, roughness, the band."""
