"""One file for each mechanism, strongest first; :func:`choose` takes the first that works here."""

from __future__ import annotations

from pymeta_lsp.judge import interpreter as interpreters
from pymeta_lsp.judge.sandbox import Interpreter, Sandbox, SandboxError

from .bubblewrap import Bubblewrap
from .namespaces import Namespaces
from .resource_limits import ResourceLimits
from .windows import JobObject

ALL: tuple[Sandbox, ...] = (Namespaces(), Bubblewrap(), ResourceLimits(), JobObject())


def choose(name: str = "auto", interpreter: Interpreter | None = None, *, allow_weak: bool = False) -> Sandbox:
    """The strongest sandbox that works on this machine with ``interpreter`` (this one, when None), or the one called ``name``.

    Raises :class:`SandboxError` with the remedy when there is none, or when what there is leaves files, network or
    processes open and ``allow_weak`` is false.
    """
    names = [sandbox.name for sandbox in ALL]
    if name != "auto" and name not in names:
        raise SandboxError(f"there is no sandbox called {name!r}; expected auto, {', '.join(names)}")
    interpreter = interpreter or interpreters.find()
    reasons = []
    for sandbox in ALL:
        if name not in ("auto", sandbox.name):
            continue
        reason = sandbox.why_not(interpreter)
        if reason is not None:
            reasons.append(f"{sandbox.name}: {reason}")
        elif sandbox.trusted or allow_weak:
            return sandbox
        else:
            reasons.append(
                f"{sandbox.name}: works, but a program could still do harm ({'; '.join(sandbox.leaves_open)}); "
                "only for programs that you trust: --allow-weak-isolation"
            )
    raise SandboxError("no sandbox can be used. " + " | ".join(reasons))
