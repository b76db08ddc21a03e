"""Drawing, with Matplotlib only: functions that take axes and arrays. Nothing is solved here."""
