"""The course as a web page that needs no kernel and no server: `python -m tools.page`."""
