"""The report as one HTML file."""

from numprobe.reports.page.document import Section, page

__all__ = ["Section", "page"]
