"""One room a lesson: its figures, its exercises, its theory. No lesson imports another."""
