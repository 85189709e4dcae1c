"""Freed pages: memory that one array leaves is used for the next, instead of being given back and asked for again."""

from functools import cache

import numpy as np

LARGEST = 31 * 2**20  # bytes; glibc learns from blocks of up to 32 MB


@cache
def keep_freed_pages() -> None:
    """Let the allocator keep some tens of megabytes that were freed; once for the whole process.

    Reading a file makes and frees a dozen arrays of a megabyte or two. The allocator of glibc gives such blocks back to
    the system at once, and every page of the next one costs a fault: a third of the time of reading. It stops doing so
    for blocks up to the largest that it has seen freed, so one is shown to it. None of its pages is ever touched. Other
    allocators are not changed by that.
    """
    block = np.empty(LARGEST, np.uint8)
    del block
