"""The stage of the live figures: one front end, the declared figure, controls, lecture mode."""
