"""The session: which models were open, how they were looked at, and how to open them again at the next start.

Only one window of the user keeps a session, the one that was started first. Work that is not saved is no part of it;
that is what journals are for. A note lies beside the session while models are being reopened: where it is found at the
start, the last start died over that, and nothing is reopened before the user asks for it.
"""

import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.errors import InspectorError
from inspector.gui.kept import Kept, Sight, kept_of
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.resuming import Resumed
from inspector.journal import aim_table, read_aim, read_dims, read_ref, ref_table
from inspector.model.save import write_atomically
from inspector.state import Claim, state_dir

SCHEMA = "bpu-graph-inspector/session/1"
"""Value of `schema` in a session file."""

_SAVE_MS = 2000
_LARGEST_BYTES = 4_000_000
_log = logging.getLogger("inspector.gui")

Resume = Callable[[ModelTab, Path, Kept, Callable[[Resumed], None]], None]
"""Brings a document back in a tab and tells when that has ended."""


@dataclass(frozen=True)
class Session:
    """What was open.

    Attributes:
        tabs: file and view of each tab, from left to right.
        current: place of the tab that was shown.
    """

    tabs: tuple[tuple[Path, Kept], ...] = ()
    current: int = 0


def write_session(session: Session) -> str:
    """*session* as JSON text."""
    tabs = [_tab_table(path, kept) for path, kept in session.tabs]
    return json.dumps({"schema": SCHEMA, "current": session.current, "tabs": tabs}, ensure_ascii=False, indent=1) + "\n"


def read_session(text: str) -> Session:
    """The session in *text*; an empty one when it is damaged or of another version, for nothing is lost with it."""
    try:
        content = json.loads(text)
        if content["schema"] != SCHEMA:
            return Session()
        tabs = tuple(_read_tab(entry) for entry in content["tabs"])
        current = content["current"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        _log.info("session: %r", error)
        return Session()
    return Session(tabs, current if isinstance(current, int) and 0 <= current < len(tabs) else 0)


class Sessions(QObject):
    """Keeps the session of one window.

    Attributes:
        last: the session that the last run left.
        failed_over: names of the files over whose reopening the last start died; empty normally.

    Signals:
        offered: `last` and `failed_over` are known.
        left_out: names of files that are not there any more (a tuple).
    """

    offered = Signal()
    left_out = Signal(object)

    def __init__(self, tabs: ModelTabs, resume: Resume, parent: QObject, folder: Path | None = None) -> None:
        """Follow *tabs*; *resume* brings models back. *folder* holds the session, the program's state by default."""
        super().__init__(parent)
        self._tabs, self._resume = tabs, resume
        self._gone: tuple[str, ...] = ()
        self._folder = folder or state_dir()
        self._claim: Claim | None = None
        self._waiting: set[ModelTab] = set()
        self._written = ""
        self.last = Session()
        self.failed_over: tuple[str, ...] = ()
        self._timer = QTimer(self, interval=_SAVE_MS, singleShot=True)
        self._timer.timeout.connect(self.save)
        tabs.added.connect(self._follow)
        for tab in tabs.all:
            self._follow(tab)
        tabs.listed.connect(self._later)
        tabs.current_changed.connect(self._later)

    @property
    def _file(self) -> Path:
        return self._folder / "session.json"

    @property
    def _note(self) -> Path:
        return self._folder / "session.reopening"

    def start(self) -> None:
        """Become the keeper of the session if no other window is, and read what the last run left."""
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            self._claim = Claim.take(self._folder, "session")
        except OSError as error:
            _log.info("no session: %s", error)
        if self._claim is None:
            return
        with suppress(OSError, UnicodeDecodeError):
            if self._file.stat().st_size <= _LARGEST_BYTES:
                self._written = self._file.read_text(encoding="utf-8")
                self.last = read_session(self._written)
        with suppress(OSError, UnicodeDecodeError):
            self.failed_over = tuple(self._note.read_text(encoding="utf-8").splitlines()) or ("?",)
            self._note.unlink()
        self.offered.emit()

    def reopen(self) -> None:
        """Open again what the last run left; files that are gone are told, not opened."""
        session, self.failed_over = self.last, ()
        there = [(path, kept) for path, kept in session.tabs if _is_file(path)]
        self._gone = tuple(path.name for path, _kept in session.tabs if not _is_file(path))
        self.last = Session()
        self.offered.emit()
        with suppress(OSError):
            self._note.write_text("\n".join(path.name for path, _kept in there), encoding="utf-8")
        shown: ModelTab | None = None
        for path, kept in there:
            if any(tab.shows(path) for tab in self._tabs.all):
                continue
            tab = self._tabs.for_file()
            self._waiting.add(tab)
            # Reading marks the tab as taken, so that the next file gets another one.
            self._resume(tab, path, kept, self._counted(tab))
            if path == session.tabs[session.current][0]:
                shown = tab
        if shown is not None:
            self._tabs.show(shown)
        self._settle()

    def save(self) -> None:
        """Write what is open now, unless it is what was written last or models are still being reopened."""
        if self._claim is None or self._waiting:
            return
        text = write_session(self.now())
        if text == self._written:
            return
        try:
            write_atomically(self._file, text.encode(), overwrite=True, durable=False)
            self._written = text
        except InspectorError as error:
            _log.info("session: %s", error)

    def now(self) -> Session:
        """What is open now."""
        open_ = [(tab, kept_of(tab.document, tab.bench)) for tab in self._tabs.all]
        tabs = [(tab, kept) for tab, kept in open_ if kept is not None and tab.path is not None]
        current = next((index for index, (tab, _kept) in enumerate(tabs) if tab is self._tabs.current), 0)
        return Session(tuple((tab.path.absolute(), kept) for tab, kept in tabs if tab.path is not None), current)

    def close(self) -> None:
        """Write the session for the last time and let another window keep one."""
        self._timer.stop()
        self._waiting.clear()
        self.save()
        with suppress(OSError):
            self._note.unlink()
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    def _counted(self, tab: ModelTab) -> Callable[[Resumed], None]:
        return lambda _resumed: self._ready(tab)

    def _ready(self, tab: ModelTab) -> None:
        if tab in self._waiting:
            self._waiting.discard(tab)
            self._settle()

    def _settle(self) -> None:
        """All models are open: the start did not die over them."""
        if self._waiting:
            return
        with suppress(OSError):
            self._note.unlink()
        if self._gone:
            self.left_out.emit(self._gone)
            self._gone = ()
        self._later()

    def _follow(self, tab: ModelTab) -> None:
        for signal in (tab.document.opened, tab.document.selection_changed, tab.document.placement_changed):
            signal.connect(self._later)
        tab.bench.graph.viewportChanged.connect(lambda _camera: self._later())
        tab.destroyed.connect(lambda: self._ready(tab))

    def _later(self) -> None:
        if self._claim is not None and not self._timer.isActive():
            self._timer.start()


def _tab_table(path: Path, kept: Kept) -> dict[str, Any]:
    sight = kept.sight
    return {
        "path": str(path),
        "target": aim_table(kept.aim),
        "dims": dict(kept.dims),
        "selected": ref_table(kept.selected) if kept.selected is not None else None,
        "sight": {"scale": sight.scale, "x": sight.x, "y": sight.y} if sight is not None else None,
    }


def _read_tab(entry: Mapping[str, Any]) -> tuple[Path, Kept]:
    sight, selected = entry["sight"], entry["selected"]
    if not isinstance(entry["path"], str):
        raise TypeError(entry["path"])
    kept = Kept(
        aim=read_aim(entry["target"]),
        dims=read_dims(entry["dims"]),
        selected=read_ref(selected) if selected is not None else None,
        sight=Sight(float(sight["scale"]), float(sight["x"]), float(sight["y"])) if sight is not None else None,
    )
    return Path(entry["path"]), kept


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
