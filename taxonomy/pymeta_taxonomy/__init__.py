"""What the PyMETA labels are, and the words that a student reads about them."""

from .labels import FINE_TYPES, PARSE_LABELS, Label, TaskA, TaskB, fine_type
from .words import LANGUAGES, LabelPage, Language, Message, help_uri, label_page, part, sentence

__all__ = [
    "FINE_TYPES",
    "LANGUAGES",
    "PARSE_LABELS",
    "Label",
    "LabelPage",
    "Language",
    "Message",
    "TaskA",
    "TaskB",
    "fine_type",
    "help_uri",
    "label_page",
    "part",
    "sentence",
]
