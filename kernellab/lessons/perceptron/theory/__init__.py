"""The theory of notebook 01: what lines and rectangles can shatter."""
