"""Files in and out: one module per format, and what is recognised about files that do not say it."""

from motionloom.formats.options import ReadOptions
from motionloom.formats.registry import READABLE, WRITABLE, read, write
from motionloom.formats.take import Finding, Source, Take

__all__ = ["READABLE", "WRITABLE", "Finding", "ReadOptions", "Source", "Take", "read", "write"]
