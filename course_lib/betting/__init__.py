"""Questions that are bet on before a run, and settled by it."""
