"""``pymeta-lsp judge --check``: can this machine judge, and if not, what to do about it."""

from __future__ import annotations

from . import interpreter as interpreters
from .sandbox import SandboxError
from .sandboxes import ALL, choose


def report(python: str | None = None) -> int:
    """Print a line for each mechanism and a conclusion; 0 when unknown programs can be judged here, else 2."""
    try:
        found = interpreters.find(python)
        print(f"interpreter   {found.executable} (Python {found.version})")
    except SandboxError as error:
        print(f"interpreter   {error}")
        return 2
    for sandbox in ALL:
        reason = sandbox.why_not(found)
        if reason is None:
            print(f"{sandbox.name:<13} works; closes off {', '.join(sandbox.isolates)}")
            print(f"{'':<13} still open: {'; '.join(sandbox.leaves_open)}")
        else:
            print(f"{sandbox.name:<13} no: {reason}")
    try:
        chosen = choose(interpreter=found)
    except SandboxError:
        print("This machine can't judge programs that you do not trust. The lines above say what would help.")
        return 2
    print(f"This machine can judge: {chosen.name} will be used.")
    return 0
