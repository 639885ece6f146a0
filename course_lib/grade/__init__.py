"""For teachers: judge a folder of handed-in notebooks. `python -m course_lib.grade --help`."""
