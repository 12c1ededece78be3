"""The taxonomy knows nobody: it imports nothing but the standard library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pymeta_taxonomy

IMPORT_ALL = """
import sys
sys.path.insert(0, sys.argv[1])
import pymeta_taxonomy.pages, pymeta_taxonomy.words, pymeta_taxonomy.labels
for label in pymeta_taxonomy.Label:
    pymeta_taxonomy.label_page(label, "zh")
roots = {name.partition(".")[0] for name in sys.modules}
print(*sorted(roots - set(sys.stdlib_module_names) - {"pymeta_taxonomy", "__main__"}))
"""


def test_a_fresh_interpreter_loads_only_the_standard_library() -> None:
    room = Path(pymeta_taxonomy.__file__).parents[1]
    command = [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []
