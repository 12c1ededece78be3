"""Where each mistake of the catalogue was reported: studies of novices' programs, and Python's own answers to beginners.

A study of another language stands where its mistake is no matter of that language. An operator may have several sources;
none has none (:func:`sources_of`, tested). What was read of a source stands with it (:class:`Source`): only a source whose
text was read says that a mistake of this kind is made (:func:`confirmed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Read = Literal["text", "summary", "entry"]


@dataclass(frozen=True)
class Source:
    """A work that reports mistakes, and how far it was checked.

    ``read`` is ``"text"`` where its own words name every mistake listed under it, or give an example of it;
    ``"summary"`` where its abstract or its counts say that errors of this sort are made, and do not name the mistake;
    ``"entry"`` where authors, title, place and year were checked, and nothing else.
    """

    entry: str
    address: str
    read: Read


SOURCES: Final = {
    "altadmri-2015": Source(
        "Altadmri, Brown: 37 million compilations: investigating novice programming mistakes in large-scale student data. "
        "SIGCSE 2015",
        "https://kar.kent.ac.uk/46742/1/fp1187-altadmri.pdf",
        "text",
    ),
    "askpython": Source(
        "AskPython: Python increment operation",
        "https://www.askpython.com/python/examples/python-increment-operation",
        "text",
    ),
    "chiodini-2021": Source(
        "Chiodini, Moreno Santos, Gallidabino, Tafliovich, Santos, Hauswirth: A curated inventory of programming language "
        "misconceptions. ITiCSE 2021 (the inventory's pages on Python, and on Scratch for recursion)",
        "https://progmiscon.org/misconceptions/Python",
        "text",
    ),
    "denny-2012": Source(
        "Denny, Luxton-Reilly, Tempero: All syntax errors are not equal. ITiCSE 2012",
        "https://doi.org/10.1145/2325296.2325318",
        "entry",
    ),
    "du-boulay-1986": Source(
        "du Boulay: Some difficulties of learning to program. Journal of Educational Computing Research 2(1), 57-73, 1986",
        "https://doi.org/10.2190/3LFX-9RRF-67T8-UVK9",
        "entry",
    ),
    "downey-2015": Source(
        "Downey: Think Python, second edition, appendix A: debugging. O'Reilly, 2015",
        "https://greenteapress.com/wp/think-python-2e/",
        "text",
    ),
    "ettles-2018": Source(
        "Ettles, Luxton-Reilly, Denny: Common logic errors made by novice programmers. ACE 2018",
        "https://doi.org/10.1145/3160489.3160493",
        "summary",
    ),
    "eubank": Source(
        "Practical Data Science: Looping over lists in Python",
        "https://www.practicaldatascience.org/notebooks/other/looping_over_lists.html",
        "text",
    ),
    "fisler-2014": Source(
        "Fisler: The recurring rainfall problem. ICER 2014", "https://doi.org/10.1145/2632320.2632346", "entry"
    ),
    "friendly-traceback": Source(
        "Roberge: friendly-traceback 0.7.61, which explains to beginners the errors that it knows",
        "https://pypi.org/project/friendly-traceback/0.7.61/",
        "text",
    ),
    "haberman-2002": Source(
        "Haberman, Averbuch: The case of base cases: why are they so difficult to recognize? Student difficulties with "
        "recursion. ITiCSE 2002 (its abstract names both)",
        "https://m.moam.info/the-case-of-base-cases-acm-digital-library_59a925161723ddb8c561376e.html",
        "text",
    ),
    "hamouda-2017": Source(
        "Hamouda, Edwards, Elmongui, Ernst, Shaffer: A basic recursion concept inventory. Computer Science Education 27(2), "
        "121-148, 2017",
        "https://doi.org/10.1080/08993408.2017.1414728",
        "entry",
    ),
    "han-2023": Source(
        "Han, Wang, Lu: ErrorCLR: semantic error classification, localization and repair for introductory programming "
        "assignments. SIGIR 2023 (the error rules of its data set COJ2022: 5,914 C programs by students)",
        "https://github.com/DaSESmartEdu/ErrorCLR",
        "text",
    ),
    "hristova-2003": Source(
        "Hristova, Misra, Rutter, Mercuri: Identifying and correcting Java programming errors for introductory computer "
        "science students. SIGCSE 2003",
        "https://doi.org/10.1145/611892.611956",
        "entry",
    ),
    "kohn-2017": Source(
        "Kohn: Teaching Python programming to novices: addressing misconceptions and creating a development environment. "
        "Doctoral thesis, ETH Zurich, 2017 (its abstract names it)",
        "https://doi.org/10.3929/ethz-a-010871088",
        "text",
    ),
    "kohn-2019": Source(
        "Kohn: The error behind the message: finding the cause of error messages in Python. SIGCSE 2019", "", "summary"
    ),
    "mccall-2019": Source(
        "McCall, Kölling: A new look at novice programmer errors. ACM TOCE 19(4), article 38, 2019",
        "https://doi.org/10.1145/3335814",
        "entry",
    ),
    "mueller": Source(
        "Mueller: The 8 most common Python programming errors (dummies.com)",
        "https://www.dummies.com/article/technology/programming-web-design/python/"
        "the-8-most-common-python-programming-errors-142841/",
        "text",
    ),
    "pritchard-2015": Source(
        "Pritchard: Frequency distribution of error messages. PLATEAU 2015 (640,000 errors of a Python course)",
        "https://arxiv.org/abs/1509.07238",
        "summary",
    ),
    "pymeta": Source(
        "Li, Tang, Wang, Wu, Hashimoto, Gao: PyMETA: a benchmark dataset for hierarchical student code error classification "
        "with Python-interpreter-based labels. arXiv, 2026 (counts submissions by label: the error that they end in, not the "
        "mistake that led there)",
        "https://arxiv.org/abs/2606.30610",
        "summary",
    ),
    "python-exceptions": Source(
        "Python's library reference: built-in exceptions", "https://docs.python.org/3/library/exceptions.html", "text"
    ),
    "python-faq": Source("Python's programming FAQ", "https://docs.python.org/3/faq/programming.html", "text"),
    "python-tutorial": Source(
        "Python's tutorial: an informal introduction, control flow, data structures, errors and exceptions",
        "https://docs.python.org/3/tutorial/",
        "text",
    ),
    "qian-2017": Source(
        "Qian, Lehman: Students' misconceptions and other difficulties in introductory programming: a literature review. "
        "ACM TOCE 18(1), article 1, 2017",
        "https://doi.org/10.1145/3077618",
        "entry",
    ),
    "sirkia-2012": Source(
        "Sirkiä, Sorva: Exploring programming misconceptions: an analysis of student mistakes in visual program simulation "
        "exercises. Koli Calling 2012",
        "https://doi.org/10.1145/2401796.2401799",
        "entry",
    ),
    "smith-2019": Source(
        "Smith, Rixner: The error landscape: characterizing the mistakes of novice programmers. SIGCSE 2019",
        "https://doi.org/10.1145/3287324.3287394",
        "summary",
    ),
    "spohrer-1986": Source(
        "Spohrer, Soloway: Novice mistakes: are the folk wisdoms correct? CACM 29(7), 624-632, 1986",
        "https://doi.org/10.1145/6138.6145",
        "entry",
    ),
    "stack-overflow-multiple": Source(
        "Stack Overflow: How to test multiple variables for equality against a single value?",
        "https://stackoverflow.com/questions/15112125",
        "text",
    ),
    "stack-overflow-shadowing": Source(
        "Meta Stack Overflow: Establishing a canonical for shadowing builtins",
        "https://meta.stackoverflow.com/questions/423668",
        "text",
    ),
    "whatsnew-3.10": Source(
        "What's new in Python 3.10: better error messages", "https://docs.python.org/3/whatsnew/3.10.html", "text"
    ),
    "whatsnew-3.12": Source(
        "What's new in Python 3.12: improved error messages", "https://docs.python.org/3/whatsnew/3.12.html", "text"
    ),
    "whatsnew-3.14": Source(
        "What's new in Python 3.14: improved error messages", "https://docs.python.org/3/whatsnew/3.14.html", "text"
    ),
}
"""By key. No address: none was found that could be checked."""

_REPORTED: Final = {
    "altadmri-2015": "assignment-for-equality unclosed-quote unclosed-bracket bracket-too-many unlike-brackets unlike-quotes "
    "comparison-misspelt call-brackets-forgotten argument-missing argument-too-many argument-of-other-type return-forgotten",
    "askpython": "increment-operator",
    "chiodini-2021": "assignment-for-equality if-for-elif if-for-while returned-too-early return-in-loop text-plus-number "
    "condition-parts-swapped call-brackets-forgotten base-case-missing",
    "denny-2012": "misspelt-keyword unlike-quotes missing-comma",
    "du-boulay-1986": "assignment-reversed wrong-arithmetic sides-swapped statements-swapped start-moved-inwards",
    "downey-2015": "missing-colon unlike-quotes unclosed-bracket assignment-for-equality tab-among-spaces misspelt-read "
    "misspelt-binding misspelt-attribute missing-self argument-missing argument-too-many wrong-key return-forgotten "
    "none-kept index-at-length base-case-missing recursion-without-progress step-wrong",
    "ettles-2018": "wrong-comparison wrong-number condition-negated return-in-loop line-in-wrong-block if-for-elif "
    "if-for-while step-wrong break-wrong opposite-function range-off-by-one else-forgotten opposite-result "
    "return-without-value",
    "eubank": "element-as-index index-as-element",
    "fisler-2014": "guard-forgotten first-of-empty division-by-zero input-without-end",
    "friendly-traceback": "missing-colon else-if misspelt-keyword missing-comma space-in-name assignment-for-equality "
    "python-2-print unclosed-bracket unclosed-quote unlike-brackets bracket-too-many indented-too-far indented-too-little "
    "block-not-indented body-to-be-written return-outside comparison-misspelt assignment-reversed full-width-character "
    "multiplication-without-sign cut-in-a-line index-for-call call-for-index call-brackets-forgotten variable-called "
    "misspelt-read misspelt-attribute misspelt-function misspelt-builtin missing-import import-of-other-form missing-self "
    "start-outside-function builtin-shadowed-by-its-result builtin-shadowed number-conversion-forgotten text-plus-number "
    "argument-missing argument-too-many float-for-integer none-for-value collection-compared wrong-key not-in-list "
    "unpacked-wrongly index-one-too-high first-of-empty fill-by-index division-by-zero number-of-wrong-text "
    "method-of-other-type method-and-function-confused",
    "haberman-2002": "base-case-missing base-case-wrong",
    "hamouda-2017": "recursion-without-progress calls-itself",
    "han-2023": "break-wrong if-for-while condition-part-forgotten guard-forgotten statement-missing index-one-too-high "
    "wrong-comparison wrong-arithmetic and-for-or wrong-number wrong-text wrong-variable range-off-by-one "
    "loop-through-length opposite-function half-an-expression argument-of-other-type initialisation-forgotten "
    "total-without-start input-without-end none-for-value",
    "hristova-2003": "condition-misplaced parameter-too-many",
    "kohn-2017": "assignment-reversed",
    "kohn-2019": "cut-in-a-line tab-among-spaces",
    "mccall-2019": "misspelt-binding no-parameters parameter-left-out start-of-other-type constant-of-other-type "
    "name-outside-its-block arguments-swapped helper-not-written conversion-to-other-type",
    "mueller": "missing-colon assignment-for-equality and-for-or range-off-by-one misspelt-builtin line-in-wrong-block",
    "pritchard-2015": "constant-of-another-language quotes-forgotten index-at-length dict-and-list-confused",
    "pymeta": "line-read-per-value line-read-as-one input-in-function input-after-function half-finished body-is-pass "
    "helper-not-written branch-without-value count-without-first",
    "python-exceptions": "input-read-too-often tab-among-spaces",
    "python-faq": "start-outside-function mutable-default none-kept immutable-changed",
    "python-tutorial": "missing-colon initialisation-forgotten text-plus-number number-of-wrong-text division-by-zero "
    "index-one-too-high immutable-changed none-kept wrong-key entry-missing unpacked-wrongly mutable-default "
    "shortened-in-loop popped-too-often",
    "qian-2017": "parameter-overwritten loop-variable-reused parameter-shadows called-before-defined quotes-around-name",
    "sirkia-2012": "print-for-return parameter-set-in-body function-for-value",
    "smith-2019": "text-conversion-forgotten length-forgotten range-forgotten element-joined-to-list index-of-element "
    "value-in-list slice-for-element collection-conversion-forgotten membership-reversed",
    "spohrer-1986": "total-without-start guard-forgotten statement-missing half-finished",
    "stack-overflow-multiple": "comparison-shared",
    "stack-overflow-shadowing": "builtin-shadowed builtin-shadowed-by-its-result",
    "whatsnew-3.10": "missing-colon assignment-for-equality unclosed-bracket unclosed-quote missing-comma "
    "block-not-indented misspelt-attribute misspelt-read",
    "whatsnew-3.12": "missing-import missing-self",
    "whatsnew-3.14": "misspelt-keyword",
}


def sources_of(operator: str) -> tuple[str, ...]:
    """The keys in :data:`SOURCES` of the works that report the mistake of this name."""
    return tuple(source for source, operators in _REPORTED.items() if operator in operators.split())


def confirmed(operator: str) -> bool:
    """Whether a source whose text was read names the mistake of this name."""
    return any(SOURCES[source].read == "text" for source in sources_of(operator))
