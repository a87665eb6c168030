"""A whole window in a process of its own, driven by a script, so that it can be killed.

Run `python -m tests.helpers.driven_window SCRIPT [MODEL…]`: `work` folds a BatchNormalization and waits to be killed,
`recover` takes up what it finds and tells what came of it, `look` tells what is on offer.
"""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from inspector.gui import app
from inspector.gui.main_window import MainWindow
from inspector.gui.panels.recovery import RecoveryCards

_PERIOD_MS = 20


def tell(*words):
    """One line of the answer, at once: the process may be killed."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def window():
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))


def work():
    """Accept a rewrite, then wait; yields until the next step may come."""
    document = window().document
    yield lambda: document.workspace is not None
    node = next(n for n in document.workspace.model.main.nodes if n.op.name == "BatchNormalization")
    document.propose("bn-fold", node.id)
    yield lambda: document.proposal is not None and document.proposal.proof.value == "passed"
    document.accept()
    window().habits.keep_all()
    tell("accepted")
    yield lambda: False


def look():
    """Print what is on offer at the start, and leave."""
    yield lambda: not window().is_busy
    for entry in window().habits.entries:
        tell(entry.journal.model.path.name, entry.state.value, len(entry.journal.steps))
    tell("session", len(window().habits.sessions.last.tabs), *window().habits.sessions.failed_over)
    leave()
    yield lambda: True


def offers():
    """Buttons that take up lost work."""
    cards = window().bench.start.findChildren(RecoveryCards)
    return [b for card in cards for b in card.findChildren(QPushButton) if b.text() == "Recover"]


def recover():
    """Press Recover, wait for the proof, print what came of it, and close as a user who discards."""
    yield offers  # the cards are filled a moment after they are made
    (button,) = offers()
    button.click()
    yield lambda: window().document.workspace is not None and not window().is_busy
    steps = window().document.workspace.steps
    tell(len(steps), *sorted({v.status.value for step in steps for v in step.verifications}))
    leave()
    yield lambda: True


def leave():
    window().forget_changes()
    window().close()


def main(script, models):
    steps = {"work": work, "look": look, "recover": recover}[script]()
    ready = [lambda: any(isinstance(w, MainWindow) and w.is_whole for w in QApplication.topLevelWidgets())]

    def step():
        if ready[0]():
            ready[0] = next(steps, lambda: False)

    app.application()
    timer = QTimer(interval=_PERIOD_MS)
    timer.timeout.connect(step)
    timer.start()
    return app.main([*models, "--lang", "en"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
