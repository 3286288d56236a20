"""How Sphinx builds the site (`make docs`)."""

from importlib.metadata import version as version_of

project = "numprobe"
author = "the numprobe authors"
release = version_of("numprobe")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "numprobe"
html_static_path: list[str] = []
exclude_patterns = ["_build", "*.ipynb"]
html_extra_path = ["tutorial.ipynb"]
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_member_order = "bysource"
nitpicky = False
