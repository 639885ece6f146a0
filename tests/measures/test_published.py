"""Published figures: complete, and consistent with each other."""

import pytest

from course_lib.measures.published import BEST_RATES, DEVICES, FORWARD_RATES, LENGTHS


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_a_device_waits_for_memory_below_its_ridge_and_computes_above(device):
    assert device.attainable(device.ridge / 2) == pytest.approx(device.tflops / 2)
    assert device.attainable(device.ridge * 3) == device.tflops
    assert device.source


def test_each_program_has_a_rate_for_each_length_and_none_is_above_the_device():
    for rates in FORWARD_RATES.values():
        assert len(rates) == len(LENGTHS)
        assert all(0 < rate < DEVICES["H100"].tflops for rate in rates if rate is not None)


def test_only_standard_attention_runs_out_of_memory():
    missing = {name for name, rates in FORWARD_RATES.items() if None in rates}
    assert missing == {"standard"}


def test_the_best_rates_are_the_shares_that_their_papers_name():
    """73, 75 and 71 percent of what the device can do, by the three abstracts and sections."""
    shares = [one.tflops / DEVICES[one.device].tflops for one in BEST_RATES]
    for share, named in zip(shares, (0.73, 0.75, 0.71), strict=True):
        assert share == pytest.approx(named, abs=0.01)
    assert [one.year for one in BEST_RATES] == sorted(one.year for one in BEST_RATES)
