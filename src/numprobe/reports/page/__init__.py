"""The report as one HTML file."""

from numprobe.reports.page.document import page
from numprobe.reports.page.sections import Section, sections

__all__ = ["Section", "page", "sections"]
