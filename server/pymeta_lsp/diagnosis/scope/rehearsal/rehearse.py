"""Which calls to rehearse, and what their endings say about the program."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pymeta_lsp.diagnosis.scope.strangers import uses_strangers
from pymeta_lsp.diagnosis.scope.symbols import Symbols

from .limits import MOST_STATEMENTS, EndlessError, UnknownError
from .machine import Machine
from .marks import Shown, culprit, message_of, values_at
from .objects import Class, Function, Method
from .refusals import is_no_number, says_nothing
from .samples import OTHERWISE, TYPICAL, Shape, arguments_for, family, first_of, turns
from .shapes import shapes

_ALL_STATEMENTS: Final = 3_000
"""Statements of all rehearsals of a program together."""
_INPUT_LINES: Final = ("5", "3 4", "hello world", "1 2 3", "word")
"""What ``input()`` gives, the same at every call; the next where the program fails on the one before."""


_OF_VALUES: Final = frozenset(["IndexError", "KeyError", "ValueError"])
"""Exceptions that hang on what a value is, not on its kind."""


@dataclass(frozen=True)
class Ending:
    """How one rehearsal ended."""

    turn: int
    """Which sample it was; -1 for the module's own code."""
    call: str
    """The call as it could be written."""
    exception: str | None
    """The exception's name; None where it came to its end."""
    message: str = ""
    node: ast.AST | None = None
    values: tuple[Shown, ...] = ()
    """What met at the node."""
    result: Any = None
    """What the call gave back."""
    before: tuple[Any, ...] = ()
    """The arguments as they were."""
    after: tuple[Any, ...] = ()
    """The arguments as the call left them."""
    prints: int = 0
    """How often it printed."""


@dataclass
class Rehearsals:
    """How the rehearsals of one entry (the module, or a function that tests may call) ended."""

    entry: ast.AST
    endings: list[Ending] = field(default_factory=list)
    """Those that came to an end, in order; the others say nothing."""
    unknown: int = 0
    """Rehearsals that were given up."""
    stuck: int = 0
    """Rehearsals with everyday arguments that did not end within the budget."""
    reconsidered: Ending | None = None
    """How it ended with the first guess at its arguments, where another guess worked."""
    far_fetched: bool = False
    """The guess that worked is of another family: a text, a number in the place of a list."""
    used: bool = False
    """The program itself calls it, and its calls did not fail: what other arguments do may be none of its business."""
    exact: bool = False
    """Nothing in them was a sample: the program does just this at every run."""

    @property
    def picks(self) -> bool:
        """It picks an element, as ``max`` does: nobody knows what it should give where there is none."""
        worked = [ending for ending in self.endings if ending.turn < TYPICAL and ending.exception is None]
        return bool(worked) and all(_picked(ending) for ending in worked)


def rehearse(tree: ast.Module, symbols: Symbols) -> list[Rehearsals]:
    """Rehearse the module, then each function that only somebody else can call. Never raises."""
    machine = Machine(tree, symbols)
    left = _ALL_STATEMENTS
    module = Rehearsals(tree)
    try:
        body = machine.block(tree.body)
    except RecursionError:
        return []
    ending: Ending | None = None
    for line in _INPUT_LINES:
        machine.input_text = line
        machine.module.variables.clear()
        machine.module_incomplete = False
        machine.prints = 0
        machine.returned.clear()
        machine.raised.clear()
        ending = _run(machine, -1, "", lambda: body(machine.module), MOST_STATEMENTS)
        left -= MOST_STATEMENTS - max(machine.statements_left, 0)
        if not machine.inputs_read or ending is None or ending.exception is None:
            break
    module.exact = not machine.inputs_read
    machine.module_incomplete = ending is None or ending.exception is not None
    result = [module]
    used = set(machine.returned)
    if ending is None:
        module.unknown += 1
    else:
        if ending.exception is None:  # the program caught what its functions raised
            used |= machine.raised
        module.endings.append(replace(ending, prints=machine.prints))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if uses_strangers(tree):
        return result
    for entry, call in _entries(machine):
        node = entry.node
        if isinstance(node, ast.Lambda):
            continue
        found = shapes(node, functions, skip=int(isinstance(call, Method)))
        if found is None:
            continue
        rehearsals = Rehearsals(node, used=node in used)
        result.append(rehearsals)
        stage = _Stage(machine, call, node.name, left)
        _rehearse_function(stage, rehearsals, found)
        left = stage.left
        if left <= 0:
            break
    return result


class _Stage:
    """Rehearses the calls of one function, within what is left of the budget."""

    def __init__(self, machine: Machine, call: Any, name: str, left: int) -> None:
        self.machine = machine
        self.call = call
        self.name = name
        self.left = left
        self.used = 0
        """Statements that the last rehearsal ran: how far it came."""

    def run(self, found: list[Shape], turn: int) -> Ending | None:
        values = arguments_for(found, turn)
        text = f"{self.name}({', '.join(map(_shown, values))})"
        allowance = min(MOST_STATEMENTS, self.left)
        result: Any = None

        def start() -> None:
            nonlocal result
            result = self.call(*values)

        self.machine.prints = 0
        read = self.machine.inputs_read
        ending = _run(self.machine, turn, text, start, allowance)
        if ending is not None and ending.exception in _OF_VALUES and self.machine.inputs_read > read:
            ending = None  # what was typed is to blame
        if ending is not None:
            before = tuple(arguments_for(found, turn))
            ending = replace(ending, result=result, before=before, after=tuple(values), prints=self.machine.prints)
        self.used = allowance - max(self.machine.statements_left, 0)
        self.left -= self.used + 10
        return ending


def _picked(ending: Ending) -> bool:
    return any(_is_element(ending.result, value) for value in ending.before)


def _is_element(result: Any, value: Any) -> bool:
    """Whether ``result`` is one of the elements of the sample ``value``."""
    if isinstance(value, str):
        return isinstance(result, str) and len(result) == 1 and result in value
    return isinstance(value, list) and type(result) in (int, str, tuple) and result in value


def _rehearse_function(stage: _Stage, rehearsals: Rehearsals, found: list[Shape]) -> None:
    first = stage.run(found, 0)
    if _doubtful(first):
        found, first = _reconsider(stage, rehearsals, found, first)
    for turn in range(turns(found)):
        if stage.left <= 0:
            break
        if rehearsals.unknown >= 2 and turn < TYPICAL:
            continue  # it does not end, or does what is not known here: only the shortest are worth trying
        ending = first if turn == 0 else stage.run(found, turn)
        if ending is None or is_no_number(ending.message):
            rehearsals.unknown += 1
            rehearsals.stuck += stage.machine.statements_left < 0 and turn < TYPICAL
        else:
            rehearsals.endings.append(ending)


def _doubtful(ending: Ending | None) -> bool:
    """Whether a rehearsal may have failed because its arguments were not of the kind that is meant."""
    return ending is not None and ending.exception in ("TypeError", "AttributeError", "ValueError")


def _reconsider(
    stage: _Stage, rehearsals: Rehearsals, found: list[Shape], first: Ending | None
) -> tuple[list[Shape], Ending | None]:
    """Look for other arguments that the function can work with: only if there are none, it is the one to blame."""
    best, best_used = found, stage.used
    for _ in range(2):
        start = best
        for place, shape in enumerate(start):
            for other in OTHERWISE.get(shape, ()):
                if stage.left < _ALL_STATEMENTS // 3:
                    return found, first
                trial = [*start[:place], other, *start[place + 1 :]]
                ending = stage.run(trial, 0)
                if ending is None or ending.exception is None or ending.exception == "IndexError":
                    rehearsals.reconsidered = first
                    rehearsals.far_fetched = family(shape) is not family(other)
                    return trial, ending
                if stage.used > best_used and ending.exception != "KeyError":
                    best, best_used = trial, stage.used
        if best is start:
            break
    return found, first


def _shown(value: Any) -> str:
    return "function" if value is first_of else repr(value)


def _run(machine: Machine, turn: int, text: str, start: Any, statements: int) -> Ending | None:
    machine.restart(statements)
    try:
        start()
    except UnknownError:
        return None
    except EndlessError as error:
        return Ending(turn, text, "TimeLimit", str(error), culprit(error))
    except RecursionError as error:
        if type(error) is RecursionError:
            return None
        return Ending(turn, text, "RecursionError", str(error), culprit(error))
    except Exception as error:
        node = culprit(error)
        if node is None or (turn >= 0 and says_nothing(error, node, machine)):
            return None
        try:
            return Ending(turn, text, type(error).__name__, message_of(error), node, values_at(error))
        except UnknownError:
            return None
    return Ending(turn, text, None)


def _entries(machine: Machine) -> list[tuple[Function, Any]]:
    """Functions, and methods of classes that need nothing to be made, that no other function calls."""
    called = _called_by_others(machine.tree)
    found: list[tuple[Function, Any]] = []
    values = list(machine.module.variables.items())
    completed = {id(value.base) for _, value in values if type(value) is Class}
    for name, value in values:
        if type(value) is Function and name not in called and not _awaits_object(value):
            found.append((value, value))
        elif type(value) is Class and value.base is None and id(value) not in completed:
            found.extend(_methods(machine, value, called))
    return found


def _awaits_object(function: Function) -> bool:
    """Whether it is a method outside a class: no sample is the object that it works on."""
    arguments = function.node.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args)][:1] in (["self"], ["cls"])


def _methods(machine: Machine, kind: Class, called: frozenset[str]) -> list[tuple[Function, Any]]:
    machine.restart(100)
    try:
        instance = machine.construct(kind, (), {})
    except (Exception, UnknownError, EndlessError):
        return []
    return [
        (member, Method(member, instance))
        for name, member in kind.members.items()
        if type(member) is Function and not name.startswith("_") and name not in called
    ]


def _called_by_others(tree: ast.Module) -> frozenset[str]:
    """Names that some function other than the one of that name calls."""
    called: set[str] = set()
    pending: list[tuple[ast.AST, str]] = [
        (node, "") for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    for function, _ in pending:
        own = getattr(function, "name", "")
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name != own:
                    called.add(name)
    return frozenset(called)
