"""An audit in sentences: what a reader must know first, and what the figures do not say by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pymeta_bench.pymeta.published import paper
from pymeta_taxonomy import Label

_MUCH = 0.01


def findings(record: Mapping[str, Any]) -> list[str]:
    """The most important first; empty where there is nothing to say."""
    said = []
    for shared in record["shared"]:
        said += _shared(shared, record)
    said += _mix(record)
    said += _against_paper(record)
    said += _labels(record)
    return said


def _shared(shared: Mapping[str, Any], record: Mapping[str, Any]) -> list[str]:
    name, others = shared["name"], " and ".join(shared["with"])
    total = next(split["n"] for split in record["splits"] if split["name"] == name)
    questions, users, said = shared["questions"], shared["users"], []
    if questions["shared"]:
        said.append(
            f"This is no split by question: {questions['shared']:,} of the {questions['n']:,} questions of {name} stand in {others} too, with "
            f"{_of(questions['samples'], total)}. A score on it says how a model does on problems that it was trained on."
        )
    if shared["same_user_and_question"]:
        said.append(
            f"{_of(shared['same_user_and_question'], total)} of {name} are another attempt of a student at a question whose attempts stand in {others}."
        )
    elif users["shared"]:
        said.append(f"{users['shared']:,} of the {users['n']:,} students of {name} have programs in {others} too.")
    same, near = shared["twins"]["text"], shared["twins"]["near"]
    if same["n"]:
        said.append(
            f"{_of(same['n'], total)} of {name} stand in {others} letter for letter; a model that only remembers is right about "
            f"{same['label_right']:,} of them."
        )
    if near["n"] > max(same["n"], _MUCH * total):
        said.append(
            f"{_of(near['n'], total)} of {name} are nearly a program of {others} that answers the same question; the commonest label of "
            f"those is right for {near['label_right']:,}."
        )
    return said


def _of(count: int, total: int) -> str:
    return f"{count:,} of {total:,} programs ({100 * count / total:.1f}%)"


def _mix(record: Mapping[str, Any]) -> list[str]:
    mix = record.get("class_mix")
    if not mix or mix["p"] is None:
        return []
    overlap = any(shared["questions"]["shared"] for shared in record["shared"])
    if mix["like_random"]:
        why = (
            " A split by question seldom does that: problems differ in the mistakes that they invite."
            if overlap
            else ""
        )
        return [f"The parts have the class shares of a random split (chi-squared test: p = {mix['p']:.2g}).{why}"]
    return [
        f"The class shares differ between the parts more than a random draw makes them (chi-squared test: p = {mix['p']:.2g})."
    ]


def _against_paper(record: Mapping[str, Any]) -> list[str]:
    """Only where the files are PyMETA's: its class counts, or its published sizes."""
    facts, said = paper(), []
    sizes = [split["n"] for split in record["splits"]]
    text, files = facts["splits"]["text"], facts["splits"]["files"]
    whole = [row["n"] for row in record["classes"]]
    if whole == facts["whole_data_set"]:
        said.append("The class counts are those of the paper's Table 2.")
    elif sum(whole) == sum(facts["whole_data_set"]):
        off = [row for row in record["classes"] if row["n"] != row["paper"]]
        named = ", ".join(f"{row['name']} {row['n']:,} for {row['paper']:,}" for row in off)
        said.append(f"There are as many programs as in the paper's Table 2, but other counts: {named}.")
    if sorted(sizes) == sorted(files["sizes"]):
        said.append(
            f"The sizes {_sizes(files['sizes'])} are those of the published files: two draws of a tenth, each rounded up. The paper's text has "
            f"{_sizes(text['sizes'])} and {_sizes(text['questions'])} questions."
        )
    for split in record["splits"]:
        if split["support"] == facts["support"]:
            keys = split["support"][Label.KEY_ERROR]
            said.append(
                f"{split['name']} has the class counts of the published test split: {keys} Key Errors, where the paper's text says "
                f"{text['test_key_errors']}."
            )
    return said


def _sizes(sizes: list[int]) -> str:
    return " / ".join(f"{size:,}" for size in sizes)


def _labels(record: Mapping[str, Any]) -> list[str]:
    said, within, total = [], record["within"], record["n"]
    if within["with_several_labels"]:
        said.append(
            f"{within['with_several_labels']:,} programs stand there several times, for one question, with several labels ({within['samples_of_those']:,} rows): "
            "for each at least one label is wrong, or its tests were not always the same."
        )
    against = record.get("parser")
    if against:
        wrong = against["refused"]["n"] + against["taken"]["n"]
        if wrong:
            said.append(
                f"{_of(wrong, total)} have a label that Python {record['python']}'s parser contradicts: it refuses {against['refused']['n']:,} whose label is of a "
                f"later step, and takes {against['taken']['n']:,} that are said not to parse. Their labels may come from another version."
            )
    empty = sum(split["empty"] for split in record["splits"])
    if empty:
        said.append(f"Empty programs: {empty:,}.")
    return said
