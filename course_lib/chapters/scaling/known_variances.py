"""Known wrong results of `score_variance`: the number, and what it is told."""


def known_variances(d_k: int, pairs: int) -> tuple[tuple[float, str], ...]:
    """Each number that a slip gives for this width, and what it comes from."""
    return (
        (d_k**0.5, "That is about the root of d_k, as a standard deviation is."),
        (1, "That is about 1, as for a single product. A score is the sum of d_k products."),
        (2, "That is about 2, as for single products of q with itself. Draw k, and add up."),
        (2 * d_k, "That is about twice d_k, as where a vector meets itself."),
        (d_k / 3, "That is about a third of d_k. Do the entries of q and k both have variance 1?"),
        (d_k * 7 / 144, "That is what numbers drawn evenly between 0 and 1 give, not normal ones."),
        (1 / d_k, "That is about one over d_k, as for the mean of d_k products."),
        (pairs * d_k, "That is about pairs times d_k: a sum over the pairs, where a mean belongs."),
        (pairs, "That is about the number of pairs. A score adds up the d_k products of one pair."),
    )
