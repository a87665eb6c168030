"""What may be imported where: the layers, and the core without Qt and without onnxruntime."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.cli import environment

ROOT = Path(__file__).resolve().parents[2]


def modules():
    """Every module outside the window and the worker's child process."""
    for path in sorted((ROOT / "inspector").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] != "gui" and parts[-1] != "__main__":
            yield ".".join(parts).removesuffix(".__init__")


def test_the_core_loads_without_qt_and_onnxruntime():
    code = (
        "import sys, importlib\n"
        "for name in ('PySide6', 'shiboken6', 'pyqtgraph', 'onnxruntime'):\n"
        "    sys.modules[name] = None\n"
        "for name in sys.argv[1:]:\n"
        "    importlib.import_module(name)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, *modules()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.parametrize("module", ["inspector.cli.check", "inspector.cli.explain", "inspector.cli.targets"])
def test_checking_loads_no_native_inference(module):
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=environment(), check=True
    )
    assert not {"PySide6", "onnxruntime", "pyqtgraph"} & set(answer.stdout.split())


def test_the_import_layers_hold():
    answer = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout
    assert "0 broken" in answer.stdout
