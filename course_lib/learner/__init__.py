"""A learner's code and state: run with limits, contained, converted, compared, kept."""
