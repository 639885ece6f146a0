"""Sphinx's settings for the page; tools/page writes the chapters beside this file."""

import re

from docutils import nodes
from latex2mathml.converter import convert

project = "Attention, Dot by Dot"
html_title = project
author = "the authors of the course"
copyright = author
language = "en"
extensions = ["myst_parser"]
exclude_patterns = ["beside", "static"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # a chapter's parts may skip a level of headings

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0a5fa8",
        "color-brand-content": "#0a5fa8",
        "font-stack": "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#79b8f3",
        "color-brand-content": "#79b8f3",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_favicon = "static/favicon.svg"
html_static_path = ["static"]
html_extra_path = ["beside"]
templates_path = ["templates"]
html_css_files = ["explorer.css", "bet.css", "course.css"]
html_js_files = [("course.js", {"type": "module"})]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_math_renderer = "mathml"
BARS = re.compile(r"<mo[^>]*>(?=&#x0007C;</mo>)")  # of a length, |a|
TIGHT = '<mo stretchy="false" lspace="0" rspace="0">'


def inline_math(self, node):
    """Write a formula as MathML: every browser draws it without a script."""
    self.body.append(BARS.sub(TIGHT, convert(node.astext())))
    raise nodes.SkipNode


def displayed_math(self, node):
    """The same on a line of its own."""
    formula = BARS.sub(TIGHT, convert(node.astext(), display="block"))
    self.body.append(f'<div class="formula">{formula}</div>')
    raise nodes.SkipNode


def setup(app):
    """Tell Sphinx of the formulas."""
    app.add_html_math_renderer("mathml", (inline_math, None), (displayed_math, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
