"""A small machine that rehearses a program on sample values, without Python running any of it.

Each node of the tree becomes one closure over the closures of its parts. Only values of built-in types and the
machine's own objects exist, only what ``library`` lists can be called, nothing reaches files, network or the
interpreter's insides; statements, depth and sizes are limited (``limits``). What fails, fails with Python's own
exception, as Python's own operators did the work; ``culprit`` tells the node.

    limits      budgets
    objects     the program's functions, classes, objects
    library     built-in functions, methods, modules
    recursion   whether calls inside calls come to an end
    expressions, statements   one closure maker for each node
    samples     arguments worth trying
    rehearse    which calls to try, and what their endings say
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from pymeta_lsp.diagnosis.scope.symbols import PROMPT_NAMES, Symbols

from . import library
from .expressions import EXPRESSIONS
from .flow import snapshot
from .library import written
from .limits import MOST_DEPTH, MOST_PRINTED, MOST_STATEMENTS, UnknownError
from .marks import NO_DEFAULT
from .objects import Class, Frame, Function, Instance, Method, Opaque
from .recursion import Call, may_end, measure
from .statements import STATEMENTS
from .targets import target

WATCHED_CALLS: Final = 12
"""How many calls before the deepest one show where a recursion goes."""

Evaluate = Callable[[Frame], Any]
Execute = Callable[[Frame], Any]


class DepthError(RecursionError):
    """Calls inside calls without end."""


class Machine:
    """One program, ready to be rehearsed."""

    def __init__(self, tree: ast.Module, symbols: Symbols) -> None:
        self.tree = tree
        self.symbols = symbols
        self.module = Frame(symbols.module, None)
        self.statements_left = MOST_STATEMENTS
        self.depth = 0
        self.inputs_read = 0
        self.prints = 0
        self.unrepeatable = 0
        self.input_text = "5"
        self._typed: Iterator[str] | None = None
        self._printed: list[str] = []
        self._room = 0
        self.turned = False
        self.order_met = False
        """A set was gone through whose order differs from run to run."""
        self.module_incomplete = False
        """The module's own code was not followed to its end: names that it binds further down have values too."""
        self.returned: set[ast.AST] = set()
        """Functions of which a call has come to its end."""
        self.raised: set[ast.AST] = set()
        """Functions that an exception has left."""
        self._calls: list[Call] = []
        """The innermost calls, once there are suspiciously many inside each other."""
        self._states: list[tuple[ast.AST, str]] = []
        self._bodies: dict[ast.AST, Execute] = {}
        self._written: set[int] | None = None
        self.deadline = math.inf
        """When ``time.perf_counter`` says so, whatever is going on is left: a last resort behind all allowances."""

    def restart(self, statements: int) -> None:
        """A new allowance for the next rehearsal."""
        self.statements_left = statements
        self.depth = 0
        self._calls.clear()
        self._states.clear()

    # -- compiling

    def expression(self, node: ast.expr) -> Evaluate:
        """The closure that works out ``node``."""
        maker = EXPRESSIONS.get(type(node))
        return _unknown if maker is None else maker(self, node)

    def block(self, statements: list[ast.stmt]) -> Execute:
        """The closure that runs statements until one of them leaves; returns the signal it left with."""
        closures: list[tuple[int, Execute]] = []
        for statement in statements:
            price = 1 + (library.size(statement) >> 6)
            maker = STATEMENTS.get(type(statement))
            if maker is None:
                closures.append((price, _unknown))
            else:
                closure = maker(self, statement)
                if closure is not None:
                    closures.append((price, closure))
        machine = self

        def run(frame: Frame) -> Any:
            for price, closure in closures:
                machine.statements_left -= price
                if machine.statements_left < 0:
                    raise UnknownError
                if time.perf_counter() > machine.deadline:
                    raise UnknownError
                signal = closure(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def target(self, node: ast.expr) -> Callable[[Frame, Any], None]:
        """The closure that assigns to ``node``."""
        return target(self, node)

    def charge(self, statements: int) -> None:
        """Take work that is not a statement of the program from its allowance."""
        self.statements_left -= statements
        if self.statements_left < 0 or time.perf_counter() > self.deadline:
            raise UnknownError

    def in_order(self, value: Any) -> Any:
        """``value``, about to be gone through: a set of texts in one order or, ``turned``, in the other."""
        if type(value) not in (set, frozenset) or not library.unordered(value):
            return value
        self.order_met = True
        return list(value)[::-1] if self.turned else value

    # -- names from outside

    def begin(self, typed: str) -> None:
        """From now on ``input()`` gives the lines of ``typed``, and what is printed is kept."""
        self._typed = iter(typed.replace("\r\n", "\n").removesuffix("\n").split("\n") if typed else ())
        self._printed.clear()
        self._room = MOST_PRINTED
        self.inputs_read = self.prints = 0

    @property
    def is_played(self) -> bool:
        """Whether what is asked of the program is no guess: what is said of it must be what Python would do."""
        return self._typed is not None

    @property
    def printed(self) -> str:
        """What was printed since :meth:`begin`."""
        return "".join(self._printed)

    def read_input(self, *prompt: Any) -> str:
        """``input()``: always the same line, unless some were typed."""
        self.inputs_read += 1
        if self._typed is None:
            self.charge(20)
            return self.input_text
        if len(prompt) > 1:
            raise TypeError(f"input expected at most 1 argument, got {len(prompt)}")
        self._print("".join(map(written, prompt)))
        line = next(self._typed, None)
        if line is None:
            raise EOFError("EOF when reading a line")
        return line

    def print(
        self, *values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = None, **others: Any
    ) -> None:
        """``print(...)``: counts, and is kept where that was asked for."""
        if any(isinstance(value, Opaque) for value in values):
            raise UnknownError
        if others:
            raise TypeError(f"print() got an unexpected keyword argument '{next(iter(others))}'")
        self.prints += 1
        if self._typed is None:
            return
        for name, value in (("sep", sep), ("end", end)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be None or a string, not {type(value).__name__}")
        if file is not None:
            raise UnknownError
        between, after = " " if sep is None else sep, "\n" if end is None else end
        self._print(between.join(map(written, values)) + after)

    def _print(self, text: str) -> None:
        self._room -= len(text)
        if self._room < 0:
            raise UnknownError
        self._printed.append(text)

    def names_unknown(self, name: str) -> bool:
        """Whether a name may come from where the machine cannot look."""
        if self.module_incomplete and name in self.symbols.module.bindings:
            return True
        if name in PROMPT_NAMES or name in self.symbols.given:
            return True
        return self.symbols.dynamic or bool(self.symbols.star_imports)

    # -- calling

    def call_function(self, function: Function, values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call one of the program's functions. Raises what its body raises, and ``TypeError`` for wrong arguments."""
        node = function.node
        scope = self.symbols.scopes[node]
        if scope.is_generator:
            raise UnknownError
        frame = Frame(scope, function.frame)
        self._bind(function, frame.variables, values, keywords)
        if self.depth >= MOST_DEPTH:
            if (
                scope.globals
                or scope.nonlocals
                or may_end(self._calls, self.depth, self._bounds(), self._limit_changed())
            ):
                raise UnknownError
            if self.is_played and len({state for called, state in self._states if called is node}) > 1:
                raise UnknownError  # something changes on the way
            raise DepthError("maximum recursion depth exceeded")
        body = self._bodies.get(node)
        if body is None:
            body = self._bodies[node] = (
                self._lambda_body(node) if isinstance(node, ast.Lambda) else self.block(node.body)
            )
        self.charge(1)
        watched = self.depth >= MOST_DEPTH - WATCHED_CALLS
        if watched:
            self._calls.append(Call(node, measure(values)))
            if self.is_played:
                self._states.append((node, self._state(function, values)))
        self.depth += 1
        try:
            body(frame)
        except Exception:
            self.raised.add(node)
            raise
        finally:
            self.depth -= 1
            if watched:
                self._calls.pop()
                if self.is_played:
                    self._states.pop()
        self.returned.add(node)
        return frame.result

    def _state(self, function: Function, values: tuple[Any, ...]) -> str:
        """All that may change from one call to one inside it, other than which numbers and texts are passed."""
        passed = Frame(function.frame.scope, function.frame)
        for place, value in enumerate(values):
            if isinstance(value, Instance):
                passed.variables[f"{place}"] = id(value)
                passed.variables.update({f"{place}.{name}": each for name, each in value.attributes.items()})
            elif not isinstance(value, (int, float, str, tuple, Function)):
                passed.variables[f"{place}"] = value
        return snapshot(self, passed)

    def _bounds(self) -> set[int]:
        """Numbers that the program may count up to: those written in it, and those that the module's names hold."""
        if self._written is None:
            self._written = {
                node.value for node in ast.walk(self.tree) if isinstance(node, ast.Constant) and type(node.value) is int
            }
        found = set(self._written)
        found.update(each for each in measure(self.module.variables.values()) if isinstance(each, int))
        return found

    def _limit_changed(self) -> bool:
        return "setrecursionlimit" in self.symbols.called

    def _lambda_body(self, node: ast.Lambda) -> Execute:
        value = self.expression(node.body)
        price = library.size(node.body) >> 6

        def run(frame: Frame) -> None:
            self.charge(price)
            frame.result = value(frame)

        return run

    def _bind(
        self, function: Function, names: dict[str, Any], values: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        signature = function.node.args
        positional = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
        if len(values) > len(positional):
            if signature.vararg is None:
                raise TypeError(
                    f"{function.name}() takes {len(positional)} positional argument{'s' * (len(positional) != 1)} but {len(values)} {'was' if len(values) == 1 else 'were'} given"
                )
            names[signature.vararg.arg] = values[len(positional) :]
        elif signature.vararg is not None:
            names[signature.vararg.arg] = ()
        names.update(zip(positional, values, strict=False))
        extra = {}
        known = {*positional, *(argument.arg for argument in signature.kwonlyargs)}
        for key, value in keywords.items():
            if key in known and key not in names:
                names[key] = value
            elif signature.kwarg is not None and key not in known:
                extra[key] = value
            elif key in names:
                raise TypeError(f"{function.name}() got multiple values for argument '{key}'")
            else:
                raise TypeError(f"{function.name}() got an unexpected keyword argument '{key}'")
        if signature.kwarg is not None:
            names[signature.kwarg.arg] = extra
        for name, value in zip(reversed(positional), reversed(function.defaults), strict=False):
            names.setdefault(name, value)
        for argument, default in zip(signature.kwonlyargs, function.keyword_defaults, strict=True):
            if default is not NO_DEFAULT:
                names.setdefault(argument.arg, default)
        for kind, all_of_them in (
            ("positional", positional),
            ("keyword-only", [each.arg for each in signature.kwonlyargs]),
        ):
            missing = [repr(name) for name in all_of_them if name not in names]
            if missing:
                last = missing[-1] if len(missing) == 1 else f"{'' if len(missing) == 2 else ','} and {missing[-1]}"
                listed = ", ".join(missing[:-1]) + last
                ending = "s" * (len(missing) != 1)
                raise TypeError(f"{function.name}() missing {len(missing)} required {kind} argument{ending}: {listed}")

    def construct(self, kind: Class, values: tuple[Any, ...], keywords: dict[str, Any]) -> Instance:
        """An object of one of the program's classes."""
        instance = Instance(kind)
        if kind.has("__new__"):
            raise UnknownError
        if kind.has("__init__"):
            constructor = kind.find("__init__")
            if type(constructor) is not Function:
                raise UnknownError
            Method(constructor, instance)(*values, **keywords)
        elif values or keywords:
            raise TypeError(f"{kind.name}() takes no arguments")
        return instance


def _unknown(frame: Frame) -> Any:
    raise UnknownError
