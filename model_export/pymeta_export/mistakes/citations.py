"""Where each mistake of the catalogue was reported: studies of novices' programs, and Python's own answers to beginners.

A study of another language stands where its mistake is no matter of that language. An operator may have several sources;
none has none (:func:`sources_of`, tested).
"""

from __future__ import annotations

from typing import Final

SOURCES: Final = {
    "albrecht-2020": "Albrecht, Grabowski: Sometimes it's just sloppiness: studying students' programming errors and "
    "misconceptions. SIGCSE 2020",
    "altadmri-2015": "Altadmri, Brown: 37 million compilations: investigating novice programming mistakes in large-scale "
    "student data. SIGCSE 2015",
    "chiodini-2021": "Chiodini, Moreno Santos, Gallidabino, Tafliovich, Santos, Hauswirth: A curated inventory of programming "
    "language misconceptions. ITiCSE 2021 (progmiscon.org)",
    "denny-2012": "Denny, Luxton-Reilly, Tempero: All syntax errors are not equal. ITiCSE 2012",
    "du-boulay-1986": "du Boulay: Some difficulties of learning to program. Journal of Educational Computing Research 2(1), 1986",
    "ettles-2018": "Ettles, Luxton-Reilly, Denny: Common logic errors made by novice programmers. ACE 2018",
    "fisler-2014": "Fisler: The recurring rainfall problem. ICER 2014",
    "goetschi-2003": "Götschi, Sanders, Galpin: Mental models of recursion. SIGCSE 2003",
    "hamouda-2017": "Hamouda, Edwards, Elmongui, Ernst, Shaffer: A basic recursion concept inventory. Computer Science "
    "Education 27(2), 2017",
    "hristova-2003": "Hristova, Misra, Rutter, Mercuri: Identifying and correcting Java programming errors for introductory "
    "computer science students. SIGCSE 2003",
    "kohn-2019": "Kohn: The error behind the message: finding the cause of error messages in Python. SIGCSE 2019",
    "mccall-2019": "McCall, Kölling: A new look at novice programmer errors. ACM TOCE 19(4), 2019",
    "pritchard-2015": "Pritchard: Frequency distribution of error messages. PLATEAU 2015",
    "pymeta": "PyMETA's counts of learners' submissions by label (arXiv 2606.30610)",
    "python-faq": "Python's programming and design FAQ: unbound locals, shared default values, sort() returns None, immutable "
    "texts, changing a list while looping over it (docs.python.org/3/faq)",
    "python-tutorial": "Python's tutorial: errors and exceptions, dictionaries, numbers (docs.python.org/3/tutorial)",
    "qian-2017": "Qian, Lehman: Students' misconceptions and other difficulties in introductory programming: a literature "
    "review. ACM TOCE 18(1), 2017",
    "sirkia-2012": "Sirkiä, Sorva: Exploring programming misconceptions: an analysis of student mistakes in visual program "
    "simulation exercises. Koli Calling 2012",
    "smith-2019": "Smith, Rixner: The error landscape: characterizing the mistakes of novice programmers. SIGCSE 2019",
    "spohrer-1986": "Spohrer, Soloway: Novice mistakes: are the folk wisdoms correct? CACM 29(7), 1986",
}
"""By key: authors, title, where it appeared."""

_REPORTED: Final = {
    "albrecht-2020": "half-finished body-is-pass half-an-expression statement-missing wrong-text wrong-variable "
    "body-to-be-written cut-in-a-line condition-part-forgotten returned-too-early helper-not-written",
    "altadmri-2015": "assignment-for-equality unclosed-quote unclosed-bracket bracket-too-many unlike-brackets "
    "comparison-misspelt call-brackets-forgotten argument-missing argument-too-many argument-of-other-type return-forgotten "
    "and-for-or none-kept misspelt-function",
    "chiodini-2021": "comparison-shared mutable-default return-without-value print-for-return variable-called "
    "function-for-value opposite-result quotes-around-name conversion-to-other-type slice-for-element value-in-list "
    "method-and-function-confused collection-conversion-forgotten none-for-value",
    "denny-2012": "misspelt-keyword unlike-quotes missing-comma space-in-name",
    "du-boulay-1986": "assignment-reversed wrong-arithmetic sides-swapped statements-swapped start-moved-inwards "
    "increment-operator multiplication-without-sign",
    "ettles-2018": "wrong-comparison wrong-number condition-negated return-in-loop line-in-wrong-block if-for-elif "
    "if-for-while step-wrong break-wrong opposite-function range-off-by-one else-forgotten",
    "fisler-2014": "guard-forgotten first-of-empty division-by-zero input-without-end",
    "goetschi-2003": "recursion-without-progress calls-itself",
    "hamouda-2017": "base-case-missing base-case-wrong",
    "hristova-2003": "condition-misplaced else-if unlike-brackets float-for-integer parameter-too-many",
    "kohn-2019": "missing-colon indented-too-far indented-too-little block-not-indented python-2-print else-if return-outside "
    "missing-comma tab-among-spaces cut-in-a-line",
    "mccall-2019": "misspelt-read misspelt-binding misspelt-function missing-import import-of-other-form no-parameters "
    "parameter-left-out method-of-other-type start-of-other-type constant-of-other-type missing-self "
    "name-outside-its-block arguments-swapped",
    "pritchard-2015": "misspelt-builtin misspelt-attribute constant-of-another-language quotes-forgotten index-for-call "
    "call-for-index unpacked-wrongly not-in-list",
    "pymeta": "full-width-character input-read-too-often line-read-per-value line-read-as-one input-in-function "
    "input-after-function tab-among-spaces number-of-wrong-text wrong-key",
    "python-faq": "start-outside-function branch-without-value mutable-default none-kept immutable-changed shortened-in-loop "
    "builtin-shadowed-by-its-result popped-too-often",
    "python-tutorial": "wrong-key count-without-first membership-reversed entry-missing dict-and-list-confused "
    "text-plus-number number-of-wrong-text",
    "qian-2017": "parameter-overwritten parameter-set-in-body loop-variable-reused builtin-shadowed parameter-shadows "
    "called-before-defined element-as-index index-as-element",
    "sirkia-2012": "argument-of-other-type print-for-return parameter-set-in-body calls-itself",
    "smith-2019": "number-conversion-forgotten text-conversion-forgotten text-plus-number length-forgotten range-forgotten "
    "element-joined-to-list collection-compared index-of-element index-one-too-high index-at-length loop-through-length "
    "fill-by-index condition-parts-swapped",
    "spohrer-1986": "initialisation-forgotten total-without-start range-off-by-one guard-forgotten statement-missing "
    "wrong-variable",
}


def sources_of(operator: str) -> tuple[str, ...]:
    """The keys in :data:`SOURCES` of the works that report the mistake of this name."""
    return tuple(source for source, operators in _REPORTED.items() if operator in operators.split())
