"""What a learner writes and how it is judged: the engine, and one file a chapter."""
