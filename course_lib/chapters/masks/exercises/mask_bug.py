"""Exercise `mask_bug`: what the end of a loss curve says of the mask."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def mask_bug(losses, honest):
    """What the end of a loss curve says of the mask.

    losses: (n,), one for each step   honest: a number   returns: "leak", "blind" or "fine"
    """
    # SOLUTION
    learned = torch.mean(losses[-20:])
    if abs(learned - honest) < 0.1:
        return "fine"
    return "leak" if learned < honest else "blind"
    # END SOLUTION


def _curve(start, end, steps_down=8, noise=0.05):
    """A factory of losses that fall from start to end in 120 steps, soon or slowly."""

    def case(rng, honest):
        steps = torch.arange(120)
        smooth = end + (start - end) * torch.exp(-steps / steps_down)
        spread = noise * torch.tensor(rng.normal(size=120))
        return inputs((smooth + spread * (end > 0.02)).float(), honest)

    return case


def _one_off(given, away):
    """The same curve, with a last loss that chance moved."""
    given.args[0][-1] += away
    return given


def _verdict(end, honest, leak="leak", blind="blind", fine="fine", margin=0.1):
    """What a curve that ends at `end` says."""
    if end < honest - margin:
        return leak
    return blind if end > honest + margin else fine


def _any_loss(losses, honest):
    if (losses < honest - 0.1).any():
        return "leak"
    return "blind" if (losses > honest + 0.1).any() else "fine"


def _rounded(losses, honest):
    end = float(np.median(losses[-25:]))
    return {-1: "leak", 0: "fine", 1: "blind"}[int(np.sign(round((end - honest) / 0.2)))]


def _nearest(losses, honest):
    away = float(losses[-30:].mean()) - honest
    if away <= -0.2:
        return "leak"
    return min(
        (abs(away - at), name) for at, name in ((0, "fine"), (-0.2, "leak"), (0.2, "blind"))
    )[1]


FAIR, REPEATED = 2.079, 1.537  # the honest losses of dice that are fair, and of others

MASK_BUG = Exercise(
    answer=mask_bug,
    cases=(
        lambda rng: _curve(2.4, 2.08)(rng, FAIR),
        lambda rng: _curve(2.4, 0.0)(rng, FAIR),
        lambda rng: _curve(2.4, 1.4)(rng, FAIR),
        lambda rng: _curve(2.4, 1.55)(rng, REPEATED),
        lambda rng: _curve(2.4, 1.82)(rng, REPEATED),
        lambda rng: _curve(2.4, 1.0)(rng, REPEATED),
        lambda rng: _curve(1.9, 1.55)(rng, REPEATED),
        lambda rng: _curve(2.9, 2.08, steps_down=25)(rng, FAIR),
        lambda rng: _one_off(_curve(2.4, 2.08)(rng, FAIR), -0.3),
        lambda rng: _one_off(_curve(2.4, 1.54)(rng, REPEATED), 0.3),
        lambda rng: _curve(2.4, FAIR - 0.15, noise=0.02)(rng, FAIR),  # a little beyond the margin
        lambda rng: _curve(2.4, FAIR + 0.15, noise=0.02)(rng, FAIR),
        lambda rng: _curve(2.4, REPEATED - 0.06, noise=0.02)(rng, REPEATED),  # and within it
        lambda rng: _curve(2.9, 2.05, steps_down=40)(rng, FAIR),  # half of it is not its end
        lambda rng: _curve(2.4, REPEATED + 0.06, noise=0.02)(rng, REPEATED),
    ),
    mistakes=(
        Mistake(
            "The names are exchanged: below the honest loss the model has seen the answer (leak), "
            "above it the model was kept from what it may see (blind).",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, "blind", "leak"),
        ),
        Mistake(
            "You looked at the first losses. Before training all models are alike; take the end "
            "of the curve.",
            lambda losses, honest: _verdict(losses[:20].mean(), honest),
        ),
        Mistake(
            "You averaged the whole curve. Its beginning, before the model had learned anything, "
            "pulls that mean up.",
            lambda losses, honest: _verdict(losses.mean(), honest),
        ),
        Mistake(
            "You waited for a loss near 0. A leak at some of the places stops in between: "
            "whatever is clearly below the honest loss is a leak.",
            lambda losses, honest: (
                "leak"
                if losses[-20:].mean() < 0.1
                else ("blind" if losses[-20:].mean() > honest + 0.1 else "fine")
            ),
        ),
        Mistake(
            "You compared with ln 8, the honest loss of fair dice. Other dice have another one: "
            "use the argument honest.",
            lambda losses, honest: _verdict(losses[-20:].mean(), FAIR),
        ),
        Mistake(
            "You took the smallest loss of all. A single batch can be lucky; take the mean of "
            "the last twenty or so.",
            lambda losses, honest: _verdict(losses.min(), honest),
        ),
        Mistake(
            "One loss at the very end decided. A single batch can be lucky or unlucky; take the "
            "mean of the last twenty or so.",
            lambda losses, honest: _verdict(losses[-1], honest),
        ),
        Mistake(
            "The first loss decides with you, which is the largest, too. Before training all "
            "models are alike; take the mean of the last twenty or so.",
            lambda losses, honest: _verdict(losses[0], honest),
            also=(lambda losses, honest: _verdict(losses.max(), honest),),
        ),
        Mistake(
            "One loss anywhere in the curve decided. Chance moves single losses, and at the "
            "beginning nothing is learned yet; take the mean of the last twenty or so.",
            _any_loss,
        ),
        Mistake(
            "You compared with 1.54, the honest loss of one kind of dice. Other dice have another "
            "one: use the argument honest.",
            lambda losses, honest: _verdict(losses[-20:].mean(), 1.54),
        ),
        Mistake(
            "Your margin is wider than 0.1: a curve 0.15 away from the honest loss is told fine.",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, margin=0.2),
            also=(
                lambda losses, honest: _verdict(losses[-20:].mean(), honest, margin=honest / 10),
            ),
        ),
        Mistake(
            "Your margin is narrower than 0.1: a curve 0.06 away from the honest loss is not told "
            "fine.",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, margin=0.04),
        ),
        Mistake(
            "Nothing is ever blind with you. Above the honest loss, by 0.1, the mask hides what "
            "may be seen.",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, blind="fine"),
        ),
        Mistake(
            "The words are written small: leak, blind, fine.",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, "Leak", "Blind", "Fine"),
        ),
        Mistake(
            "There is no room for chance: no curve ends exactly at the honest loss, so nothing is "
            "ever fine. Leave a margin of 0.1 on both sides.",
            lambda losses, honest: "leak" if losses[-20:].mean() < honest else "blind",
        ),
        Mistake(
            "A loss below the honest one is no good news here: nobody can predict better than "
            "that without the answer.",
            lambda losses, honest: "blind" if losses[-20:].mean() > honest + 0.1 else "fine",
        ),
    ),
    refused=(
        Refused(lambda losses, honest: "leak" if losses[-1] < 0.5 else "fine", "mask_bug"),
        Refused(lambda losses, honest: losses[-20:].mean() - honest, "mask_bug"),
    ),
    alternatives=(
        lambda losses, honest: _verdict(sum(losses.tolist()[-30:]) / 30, honest),
        lambda losses, honest: _verdict(losses[-40:].median(), honest),
        lambda losses, honest: _verdict(float(np.mean(losses.numpy()[-10:])) * 0.99, honest),
        _rounded,
        _nearest,
    ),
    hints=(
        "Which part of the curve tells what the model has learned? Why is one number of it not "
        "enough?",
        "Take the mean of the last twenty losses and compare it with honest - 0.1 and "
        "honest + 0.1.",
        'end = losses[-20:].mean(); return "leak" if end < ... else "blind" if end > ... else ...',
    ),
    minutes=4,
    stars=1,
    reward=(
        "You can now judge a training that you have not run, from its curve and one number: what "
        "an honest model can reach."
    ),
    depth=True,
)
