"""The live figures and printed pictures of notebook 08: time and memory as n grows, digits."""
