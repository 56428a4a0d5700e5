"""Commands and how long they take, for the scripts beside this one."""

import subprocess
import time


def timed(command, seconds):
    """What a command prints within so many seconds (nothing, if they do not suffice), and the seconds it took."""
    start = time.perf_counter()
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    except subprocess.TimeoutExpired:
        out = ""
    return out, time.perf_counter() - start
