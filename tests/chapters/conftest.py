"""One explorer after the other: its figure is made once in a process and serves all its tests."""


def pytest_collection_modifyitems(items):
    """Put the tests of test_every_explorer.py into the order of the explorers."""
    places = [n for n, item in enumerate(items) if item.path.name == "test_every_explorer.py"]
    of_one = {}
    for n in places:
        explorer = getattr(items[n], "callspec", None) and items[n].callspec.params["explorer"]
        of_one.setdefault(id(explorer), []).append(items[n])
    in_order = [item for items_of_one in of_one.values() for item in items_of_one]
    for n, item in zip(places, in_order, strict=True):
        items[n] = item
