"""Each chapter is opened in one process alone: opening it and running all is what takes time.

pytest-xdist's own `--dist loadgroup` says it does this; with pytest 9.2 it did not (3.8.0).
"""

from xdist.scheduler import LoadScopeScheduling


class AChapterAtATime(LoadScopeScheduling):
    """Gives all tests of a chapter, which their names end with, to the same process."""

    def _split_scope(self, nodeid):
        return nodeid.partition("[")[2]


def pytest_xdist_make_scheduler(config, log):
    return AChapterAtATime(config, log)
