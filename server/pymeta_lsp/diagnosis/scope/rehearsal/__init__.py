"""Rehearsing a program on sample values in a small machine of our own: see ``machine``."""

from .explain import explain
from .limits import UnknownError
from .rehearse import Ending, Rehearsals, rehearse
from .samples import TYPICAL

__all__ = ["TYPICAL", "Ending", "Rehearsals", "UnknownError", "explain", "rehearse"]
