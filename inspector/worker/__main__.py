"""`python -m inspector.worker FOLDER LIMIT`: the worker process. Started by `WorkerClient` only.

FOLDER is removed when standard input closes; LIMIT is the memory limit in bytes, 0 for none.
"""

import os

# Before anything else is imported: replies keep the pipe under a descriptor of their own, and whatever a library prints
# to standard output goes to standard error.
_REPLIES = os.dup(1)
os.dup2(2, 1)

if __name__ == "__main__":
    import sys
    from pathlib import Path

    from inspector.worker.server import serve

    serve(os.fdopen(_REPLIES, "wb", buffering=0), Path(sys.argv[1]), int(sys.argv[2]) or None)
