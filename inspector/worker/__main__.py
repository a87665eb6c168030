"""`python -m inspector.worker FOLDER LIMIT`: the worker process. Started by `WorkerClient` only.

FOLDER is removed when standard input closes; LIMIT is the memory limit in bytes, 0 for none.
"""

from inspector.worker.server import claim_stdout

REPLIES = claim_stdout()  # before anything else can be imported that prints

if __name__ == "__main__":
    import sys
    from pathlib import Path

    from inspector.worker.server import serve

    serve(REPLIES, Path(sys.argv[1]), int(sys.argv[2]) or None)
