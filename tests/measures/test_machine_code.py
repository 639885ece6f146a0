"""What a turn of a loop does, counted in machine code."""

from course_lib.measures.machine_code import loop_of


def machine_code(*instructions):
    """As cuobjdump prints it."""
    return "\n".join(
        f"        /*{16 * n:04x}*/                   {one} ;      /* 0x0000002000a0a947 */\n"
        "                                                        /* 0x000ee20000002500 */"
        for n, one in enumerate(instructions)
    )


BEFORE = ("LDC R1, c[0x0][0x28]", "FMUL R2, R3, R4")  # at 0 and 0x10, outside of any loop
WHOLE = ("HGMMA.64x64x16.F32 R24", "@!P2 FFMA R5, R6, R7, -R8", "MUFU.EX2 R5, R5",
         "WARPGROUP.DEPBAR.LE gsb0, 0x0", "@P1 BRA 0x20")  # fmt: skip
MASKED = ("HGMMA.64x64x16.F32 R24", "FFMA R5, R6, R7, -R8", "ISETP.GE.AND P0, PT, R1, R2, PT",
          "FSEL R5, R5, -INF , P0", "STL [R1], R2", "@!UP1 BRA 0x70")  # fmt: skip
LOADS = ("LDG.E R1, [R2.64]", "BRA 0xd0")


def test_the_loop_over_whole_tiles_is_counted():
    found = loop_of(machine_code(*BEFORE, *WHOLE, *MASKED, *LOADS, "EXIT"))
    assert found == {
        "comparisons": 0, "multiplications": 1, "fused": 1, "exponentials": 1, "products": 1,
        "waits": 1, "spills": 0, "all": 5,
    }  # fmt: skip


def test_where_every_loop_has_a_mask_it_is_counted():
    found = loop_of(machine_code(*BEFORE, *(["NOP"] * 5), *MASKED))
    assert found["comparisons"] == 2
    assert found["spills"] == 1


def test_an_outer_loop_is_not_counted_twice():
    code = machine_code(*BEFORE, *WHOLE, "FMUL R2, R3, R4", "BRA 0x10")
    assert loop_of(code)["multiplications"] == 1


def test_what_jumps_forwards_or_to_itself_is_no_loop():
    assert loop_of(machine_code("BRA 0x20", "FMUL R2, R3, R4", "BRA 0x20")) == {}
