"""What models are asked in the four scenarios: this project's own wording, with the parts of LiveCodeBench's prompts.

Each template has ``=== user ===`` between the system message and the user's; ``NAME.base.txt`` is for models that
complete text, with an example where the form of the answer needs one. A base model's reply ends at :data:`STOP`.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from pymeta_bench.llm.endpoint import ChatMessage
from pymeta_bench.llm.templates import messages_of, parts_of

STOP: Final = {
    "codegeneration": ("### end", "\nProblem:"),
    "selfrepair": ("### end", "\nProblem:"),
    "codeexecution": ("[/ANSWER]",),
    "testoutputprediction": ("\n",),
}


@lru_cache(maxsize=16)
def _parts(name: str) -> Any:
    return parts_of(files("pymeta_bench.lcb.prompts").joinpath(name).read_text(encoding="utf-8"), name)


def prompt(scenario: str, *, base: bool, **known: object) -> list[ChatMessage]:
    """The messages for one item; ``known`` is what the scenario's template uses."""
    name = f"{scenario}.base.txt" if base else f"{scenario}.txt"
    return messages_of(_parts(name), name, known)
