"""An error about shapes, in the names and shapes that stand on the learner's line."""
