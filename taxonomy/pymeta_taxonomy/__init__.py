"""What the PyMETA labels are, and the words that a student reads about them."""

from .labels import FINE_TYPES, PARSE_LABELS, TASKS, Label, Task, TaskA, TaskB, fine_type, task_class, task_classes
from .words import LANGUAGES, LabelPage, Language, Message, help_uri, label_page, part, sentence

__all__ = [
    "FINE_TYPES",
    "LANGUAGES",
    "PARSE_LABELS",
    "TASKS",
    "Label",
    "LabelPage",
    "Language",
    "Message",
    "Task",
    "TaskA",
    "TaskB",
    "fine_type",
    "help_uri",
    "label_page",
    "part",
    "sentence",
    "task_class",
    "task_classes",
]
