"""What is timed, counted, tabulated or read from compilers; no formula that one cites."""
