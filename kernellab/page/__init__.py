"""What a lesson is made of besides figures: the map of the course, and source on the page."""
