"""The engine of the exercises: what asks, checks an answer, hints, and counts what is done."""
