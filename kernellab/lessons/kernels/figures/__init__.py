"""The live figures and marks of notebook 03: feature maps, Gram matrices, the width, witnesses."""
