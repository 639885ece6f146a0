"""Published figures: complete, and consistent with each other."""

import pytest

from course_lib.measures.published import DEVICES, FORWARD_RATES, LENGTHS


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
