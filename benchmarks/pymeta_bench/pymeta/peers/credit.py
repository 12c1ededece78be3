"""Which labels a message can be credited with: what the program will do at that place, if the message is right.

Generous to the tools: a rule that fits two labels is credited with either, and what a rule says of a value that is never
used rightly (a comparison whose result is thrown away, a list that is a default) counts as seeing a logic error. Style,
unused names and types that are merely not known claim nothing. A rule that stands in no table claims nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pymeta_taxonomy import Label

NOTHING: Final[frozenset[Label]] = frozenset()
LOGIC, SYNTAX, NAME, TYPE = (
    frozenset({label}) for label in (Label.LOGIC_ERROR, Label.SYNTAX_ERROR, Label.NAME_ERROR, Label.TYPE_ERROR)
)
UNBOUND, KEY, INDEX, VALUE = (
    frozenset({label}) for label in (Label.UNBOUND_LOCAL_ERROR, Label.KEY_ERROR, Label.INDEX_ERROR, Label.VALUE_ERROR)
)
OTHER: Final = frozenset({Label.OTHER_ERROR})
EARLY: Final = NAME | UNBOUND
"""Read before it has a value: which of the two depends on where the name is made."""


def _table(*rows: tuple[frozenset[Label], str]) -> dict[str, frozenset[Label]]:
    return {rule: labels for labels, rules in rows for rule in rules.split()}


RUFF: Final = _table(
    (NAME, "F821 PLE0118"),
    (UNBOUND, "F823"),
    (SYNTAX, "F622 F701 F702 F704 F706 F707 PLE0100 PLE0101 PLE0115 PLE0116 PLE0117 PLE1142"),
    (TYPE, "F502 F503 F507 F508 F633 PLE1205 PLE1206 PLE1307 PLE1507"),
    (KEY, "F505"),
    (KEY | INDEX, "F524"),
    (VALUE, "F501 F506 F509 F521 PLE1300"),
    (OTHER, "F822 PLE0604 PLE0605"),
    (
        LOGIC,
        "B005 B006 B008 B015 B018 B020 B023 B909 F601 F631 F632 F634 PLR0124 PLR0133 PLR1704 PLW0120 PLW0127 PLW0128 PLW0129 "
        "PLW0131 PLW2901 PLE4703 SIM220 SIM221 SIM222 SIM223",
    ),
)
PYRIGHT: Final = _table(
    (NAME, "reportUndefinedVariable"),
    (EARLY, "reportUnboundVariable reportPossiblyUnbound reportPossiblyUnboundVariable"),
    (
        TYPE,
        "reportCallIssue reportArgumentType reportOperatorIssue reportIndexIssue reportOptionalSubscript reportOptionalOperand "
        "reportOptionalCall reportOptionalIterable reportOptionalContextManager reportUnhashable reportAbstractUsage",
    ),
    (OTHER, "reportAttributeAccessIssue reportOptionalMemberAccess reportFunctionMemberAccess reportMissingImports"),
    (KEY, "reportTypedDictNotRequiredAccess"),
    (
        LOGIC,
        "reportUnusedExpression reportUnnecessaryComparison reportUnnecessaryContains reportUnreachable "
        "reportCallInDefaultInitializer reportAssertAlwaysTrue",
    ),
)
PYLINT: Final = _table(
    (NAME, "undefined-variable undefined-loop-variable global-variable-undefined"),
    (EARLY, "used-before-assignment possibly-used-before-assignment"),
    (SYNTAX, "return-outside-function yield-outside-function not-in-loop continue-in-finally nonlocal-without-binding"),
    (
        TYPE,
        "not-callable no-value-for-parameter too-many-function-args unexpected-keyword-arg redundant-keyword-arg missing-kwoa "
        "unsubscriptable-object unsupported-assignment-operation unsupported-membership-test unsupported-delete-operation "
        "unsupported-binary-operation invalid-unary-operand-type not-an-iterable not-a-mapping invalid-sequence-index "
        "invalid-slice-index unhashable-member unpacking-non-sequence bad-string-format-type too-many-format-args "
        "abstract-class-instantiated isinstance-second-argument-not-valid-type no-method-argument no-self-argument",
    ),
    (TYPE | INDEX, "too-few-format-args"),
    (
        VALUE,
        "unbalanced-tuple-unpacking bad-format-character truncated-format-string invalid-slice-step bad-format-string",
    ),
    (KEY, "missing-format-argument-key"),
    (INDEX, "potential-index-error"),
    (OTHER, "no-member import-error no-name-in-module access-member-before-definition modified-iterating-dict"),
    (LOGIC | TYPE, "assignment-from-no-return assignment-from-none"),
    (
        LOGIC,
        "pointless-statement expression-not-assigned comparison-with-itself comparison-of-constants comparison-with-callable "
        "self-assigning-variable using-constant-test condition-evals-to-constant literal-comparison unreachable "
        "missing-parentheses-for-call-in-test dangerous-default-value inconsistent-return-statements modified-iterating-list "
        "cell-var-from-loop trailing-comma-tuple useless-else-on-loop nan-comparison pointless-string-statement "
        "function-redefined redefined-argument-from-local redefined-loop-name simplifiable-condition",
    ),
)
MYPY: Final = _table(
    (NAME, "name-defined"),
    (EARLY, "used-before-def possibly-undefined"),
    (TYPE, "operator index call-arg call-overload arg-type list-item dict-item"),
    (OTHER, "attr-defined union-attr import-not-found import"),
    (TYPE | VALUE, "str-format"),
    (LOGIC | TYPE, "func-returns-value"),
    (LOGIC, "truthy-function comparison-overlap unreachable"),
)
TABLES: Final[Mapping[str, Mapping[str, frozenset[Label]]]] = {
    "ruff": RUFF,
    "pyright, basedpyright": PYRIGHT,
    "pylint, Thonny": PYLINT,
    "Mypy in Thonny": MYPY,
}
"""For people: the rules that claim something. The functions below add what is read from a message's words."""

_PYFLAKES: Final = tuple(
    (re.compile(pattern), labels)
    for pattern, labels in (
        (r"undefined name .* in __all__", OTHER),
        (r"undefined name ", NAME),
        (r"local variable .* referenced before assignment", UNBOUND),
        (r"'(return|yield|await|break|continue)' ", SYNTAX),
        (r"'\.\.\.'\.format\(\.\.\.\) is missing argument", KEY | INDEX),
        (r"'\.\.\.'\.format\(\.\.\.\) has invalid format", VALUE),
        (r"'\.\.\.' % \.\.\. (is missing|has \d+ placeholder|expected|requires)", TYPE | KEY),
        (r"'\.\.\.' % \.\.\. has (invalid|unsupported)", VALUE),
        (r"use of >> is invalid with print function", TYPE),
        (r"use ==/!= to compare|assertion is always true|'if tuple literal'|if test is a tuple", LOGIC),
    )
)
_MYPY_CODE: Final = re.compile(r"  \[([a-z-]+)\]$")


def credit_unread(message: str) -> frozenset[Label]:
    """Of a message that says why a program cannot be read: which of the three kinds, by its own words."""
    words = message.lower()
    if re.search(r"\btabs?\b", words):
        return frozenset({Label.TAB_ERROR})
    if "indent" in words or "dedent" in words:
        return frozenset({Label.INDENTATION_ERROR})
    return SYNTAX


def credit_ruff(rule: str, message: str) -> frozenset[Label]:
    """``rule`` is empty for a syntax error."""
    return RUFF.get(rule, NOTHING) if rule else credit_unread(message)


def credit_pyright(rule: str, message: str) -> frozenset[Label]:
    """``rule`` is empty for what no setting switches off: syntax errors."""
    if not rule:
        return credit_unread(message)
    if rule == "reportGeneralTypeIssues":
        return INDEX if "out of range" in message else TYPE
    return PYRIGHT.get(rule, NOTHING)


def credit_pyflakes(message: str, *, unread: bool = False) -> frozenset[Label]:
    """``unread``: it is a syntax error."""
    if unread:
        return credit_unread(message)
    return next((labels for pattern, labels in _PYFLAKES if pattern.match(message)), NOTHING)


def credit_pylint(symbol: str, message: str) -> frozenset[Label]:
    """By Pylint's symbol, the readable name of a check."""
    return credit_unread(message) if symbol == "syntax-error" else PYLINT.get(symbol, NOTHING)


def credit_mypy(message: str) -> frozenset[Label]:
    """``message`` ends in its code in brackets; notes have none and claim nothing."""
    found = _MYPY_CODE.search(message)
    code = found[1] if found else ""
    if code == "syntax":
        return credit_unread(message)
    if code == "misc":
        return INDEX if "index out of range" in message else NOTHING
    if code.endswith("attr") or code == "attr-defined":
        return TYPE if "(not iterable)" in message else OTHER
    return MYPY.get(code, NOTHING)
