"""Asking language models behind an OpenAI-compatible endpoint: many questions, none asked twice."""

from .answers import Answer, AnswerFile
from .asking import Question, ask_all
from .endpoint import Endpoint, EndpointError, Price, Settings
from .options import add_endpoint_arguments, endpoint_from

__all__ = [
    "Answer",
    "AnswerFile",
    "Endpoint",
    "EndpointError",
    "Price",
    "Question",
    "Settings",
    "add_endpoint_arguments",
    "ask_all",
    "endpoint_from",
]
