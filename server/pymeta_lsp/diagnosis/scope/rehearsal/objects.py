"""The program's own functions, classes and objects, as a rehearsal makes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .limits import MOST_DEPTH, UnknownError

if TYPE_CHECKING:
    from pymeta_lsp.diagnosis.scope.symbols import Scope

    from .machine import Machine


class Frame:
    """The variables of a running block."""

    __slots__ = ("outer", "result", "scope", "variables")

    def __init__(self, scope: Scope, outer: Frame | None) -> None:
        self.scope = scope
        self.outer = outer
        self.variables: dict[str, Any] = {}
        self.result: Any = None


class Function:
    """A function of the program; Python's own functions (``sorted``, ``map``) may call it."""

    __slots__ = ("defaults", "frame", "keyword_defaults", "machine", "node")

    def __init__(self, machine: Machine, node: ast.FunctionDef | ast.Lambda, frame: Frame, defaults: list[Any],
                 keyword_defaults: list[Any]) -> None:  # fmt: skip
        self.machine = machine
        self.node = node
        self.frame = frame
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults

    @property
    def name(self) -> str:
        """As Python names it in its messages."""
        return "<lambda>" if isinstance(self.node, ast.Lambda) else self.node.name

    def __call__(self, *values: Any, **keywords: Any) -> Any:
        return self.machine.call_function(self, values, keywords)


class Class:
    """A plain class of the program."""

    __slots__ = ("base", "members", "name")

    def __init__(self, name: str, members: dict[str, Any], base: Class | None) -> None:
        self.name = name
        self.members = members
        self.base = base

    def find(self, name: str) -> Any:
        """A member, also of the classes it inherits from. Raises ``KeyError``."""
        kind: Class | None = self
        while kind is not None:
            if name in kind.members:
                return kind.members[name]
            kind = kind.base
        raise KeyError(name)

    def has(self, name: str) -> bool:
        """Whether the class or one it inherits from has such a member."""
        try:
            self.find(name)
        except KeyError:
            return False
        return True

    def _special(self, *_: Any, **__: Any) -> Any:
        raise UnknownError

    __call__ = __or__ = __ror__ = _special
    """Whoever else of Python's own may call it, or make a union of types of it."""


class Instance:
    """An object of one of the program's classes. What its special methods would do is unknown here."""

    __slots__ = ("attributes", "kind")

    def __init__(self, kind: Class) -> None:
        self.kind = kind
        self.attributes: dict[str, Any] = {}

    def _special(self, *_: Any) -> Any:
        raise UnknownError

    __add__ = __radd__ = __sub__ = __mul__ = __lt__ = __le__ = __gt__ = __ge__ = __len__ = __iter__ = _special
    __getitem__ = __contains__ = __bool__ = __str__ = __repr__ = __eq__ = __neg__ = __truediv__ = _special
    __rsub__ = __rmul__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = _special
    __rpow__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __setitem__ = __delitem__ = _special
    __next__ = __reversed__ = __index__ = __int__ = __float__ = __abs__ = __pos__ = __invert__ = __round__ = _special
    __format__ = __divmod__ = __rdivmod__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __call__ = _special

    def __hash__(self) -> int:
        return id(self)


class Method:
    """A method bound to an object."""

    __slots__ = ("function", "instance")

    def __init__(self, function: Function, instance: Instance) -> None:
        self.function = function
        self.instance = instance

    def __call__(self, *values: Any, **keywords: Any) -> Any:
        return self.function.machine.call_function(self.function, (self.instance, *values), keywords)


class Opaque:
    """Something that nobody knows here: whatever is done with it ends the rehearsal."""

    __slots__ = ()

    def _unknown(self, *_: Any, **__: Any) -> Any:
        raise UnknownError

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _unknown
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __lt__ = __le__ = __gt__ = _unknown
    __ge__ = __eq__ = __ne__ = __len__ = __iter__ = __getitem__ = __setitem__ = __contains__ = __bool__ = _unknown
    __str__ = __repr__ = __neg__ = __call__ = __index__ = __int__ = __float__ = __hash__ = __and__ = __or__ = _unknown
    __rand__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _unknown
    __matmul__ = __rmatmul__ = __divmod__ = __rdivmod__ = __abs__ = __pos__ = __invert__ = __round__ = _unknown
    __next__ = __reversed__ = __delitem__ = __complex__ = __bytes__ = __format__ = _unknown


OPAQUE = Opaque()


class generator:  # noqa: N801  as Python names it in its messages
    """A generator expression, which works out no more than it is asked for."""

    __slots__ = ("_items", "_machine", "pymeta_depth")

    def __init__(self, machine: Machine, items: Iterator[Any]) -> None:
        self._machine = machine
        self._items = items
        self.pymeta_depth = 1

    def __iter__(self) -> generator:
        return self

    def __next__(self) -> Any:
        machine = self._machine
        if machine.depth >= MOST_DEPTH:
            raise UnknownError
        machine.depth += 1
        try:
            return next(self._items)
        finally:
            machine.depth -= 1
