"""The memory limit of the worker: the address space on Linux, the resident size, polled, elsewhere."""

import ctypes
import os
import sys
import threading
import time

MEMORY_EXIT = 77
"""Exit code of a worker that found itself over its limit."""

_POLL_S = 0.1


def physical_memory() -> int | None:
    """Memory of the machine in bytes; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def limit_memory(limit_bytes: int) -> None:
    """Hold this process to *limit_bytes*.

    On Linux an allocation beyond it fails, which the libraries report as an error. Other systems do not enforce an
    address-space limit, so there a thread watches the resident size and ends the process.
    """
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = limit_bytes if hard == resource.RLIM_INFINITY else min(limit_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    else:
        threading.Thread(target=_watch, args=(limit_bytes,), name="memory-limit", daemon=True).start()


def peak_memory() -> int | None:
    """Largest resident size of this process so far in bytes; None where the system does not tell."""
    if sys.platform == "win32":
        return _windows_memory()
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _watch(limit_bytes: int) -> None:
    while (peak_memory() or 0) <= limit_bytes:
        time.sleep(_POLL_S)
    os._exit(MEMORY_EXIT)


class _ProcessMemoryCounters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS of psapi.h."""

    _fields_ = (
        ("cb", ctypes.c_ulong),
        ("page_fault_count", ctypes.c_ulong),
        *((name, ctypes.c_size_t) for name in ("peak_working_set", "working_set", "quota_peak_paged", "quota_paged")),
        *((name, ctypes.c_size_t) for name in ("quota_peak_nonpaged", "quota_nonpaged", "pagefile", "peak_pagefile")),
    )


if sys.platform == "win32":

    def _windows_memory() -> int | None:
        counters = _ProcessMemoryCounters()
        counters.cb = ctypes.sizeof(counters)
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.GetCurrentProcess.restype = ctypes.c_void_p
        kernel32.K32GetProcessMemoryInfo.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
        found = kernel32.K32GetProcessMemoryInfo(kernel32.GetCurrentProcess(), ctypes.byref(counters), counters.cb)
        return int(counters.peak_working_set) if found else None
