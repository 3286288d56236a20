"""The report as one HTML file."""

from numprobe.reports.page.document import Section, page, sections

__all__ = ["Section", "page", "sections"]
