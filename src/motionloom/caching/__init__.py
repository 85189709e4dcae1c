"""What is made once and used again: which code decides it, and which kinds of it a corpus keeps."""

from motionloom.caching.kinds import KINDS, Kind, cached
from motionloom.caching.recent import Recent
from motionloom.caching.versions import code_version, is_shared

__all__ = ["KINDS", "Kind", "Recent", "cached", "code_version", "is_shared"]
