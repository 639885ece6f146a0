"""The pages that the browser tests share, and who opens which.

Each chapter is opened in one process alone: opening it and running all is what takes time.
pytest-xdist's own `--dist loadgroup` says it does this; with pytest 9.2 it did not (3.8.0).
"""

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.browser.lab_driver import LabBrowser, find_chromium
from tests.browser.lab_server import LabServer
from tests.browser.shown_page import ShownPage
from tests.browser.site_server import SiteServer
from tests.browser.solutions import NOTEBOOKS
from tests.browser.taken import shortest_of_each_kind
from tests.sweeps import WALK
from tools.lab import lay

CHAPTERS = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
ON_A_PAGE = "page of"  # in the names of tests of web pages
TAKEN = CHAPTERS if WALK else shortest_of_each_kind(list(NOTEBOOKS.glob("*.ipynb")))

every_chapter = [
    pytest.mark.parametrize("lab", TAKEN, indirect=True, scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None,
        reason="no browser: install chromium, or name one in CHROMIUM",
    ),
]


class AChapterAtATime(LoadScopeScheduling):
    """Gives all tests of a chapter, which their names hold in brackets, to the same process.

    The tests of web pages go to one process, too, whatever their chapter: it builds the site. The
    cells of a notebook, which `make test` runs beside, stay together, for one kernel in order.
    """

    def _split_scope(self, nodeid):
        path, _, inside = nodeid.partition("::")
        if path.endswith(".ipynb"):
            return path
        inside = inside.partition("[")[2]
        if ON_A_PAGE in inside:
            return ON_A_PAGE
        return next((name for name in CHAPTERS if name in inside), nodeid)


def pytest_xdist_make_scheduler(config, log):
    return AChapterAtATime(config, log)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab")
    lay(NOTEBOOKS, home / "work")
    with LabServer(home / "work", home / "jupyter") as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    with LabBrowser() as browser:
        yield browser


@pytest.fixture(scope="module")
def lab(request, server, browser):
    """A chapter, run to its first explorer; the first one, and in `make walk` all, to their end."""
    page = browser.open(server, request.param)
    page.chapter = request.param.removesuffix(".ipynb")
    page.state = server.home / "state"
    if WALK or request.param == TAKEN[0]:
        page.run_all(seconds=300)
    else:  # nbval runs the rest of it; the browser takes three times as long
        page.run_to(page.explorer_cells()[0])
    yield page
    page.page.close()
    server.end_sessions()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The web pages that are taken."""
    from tests.browser.pages import SOURCES, TAKEN
    from tools.page import site as building

    folder = tmp_path_factory.mktemp("page")
    chosen = [path for path in SOURCES if path.stem in TAKEN]
    jobs = building.processes() if WALK else 1
    building.build(chosen, folder / "site", folder / "work", jobs)
    return folder / "site"


@pytest.fixture(scope="session")
def host(site):
    with SiteServer(site) as server:
        yield server.address


@pytest.fixture(scope="session")
def opened(browser, host):
    """A page that several tests read, opened once; those that leave something take `show`."""
    pages = {}

    def find(name):
        if name not in pages:
            pages[name] = ShownPage(browser, host, name)
        return pages[name]

    yield find
    for page in pages.values():
        page.close()


@pytest.fixture
def show(browser, host):
    pages = []

    def open_page(name, **options):
        pages.append(ShownPage(browser, host, name, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()
