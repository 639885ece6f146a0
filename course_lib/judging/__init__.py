"""From an answer to a verdict: exercises as data, trials, comparison, diagnosis, words."""
