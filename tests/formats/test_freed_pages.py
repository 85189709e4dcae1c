"""Memory of freed arrays is used again."""

import subprocess
import sys

FAULTS = """
import platform, resource
import numpy as np
from motionloom.formats.freed_pages import keep_freed_pages

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        arrays = [np.ones(2**18) for _ in range(4)]  # 8 MB
        del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

usual = faults()
keep_freed_pages()
faults()
print(platform.libc_ver()[0], usual, faults())
"""


def test_pages_of_freed_arrays_are_not_asked_for_again():
    printed = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True).stdout.split()
    libc, usual, kept = printed[0], int(printed[-2]), int(printed[-1])
    assert kept < 200 or libc != "glibc", f"{kept} pages instead of {usual}"  # of 2,048 in every round
