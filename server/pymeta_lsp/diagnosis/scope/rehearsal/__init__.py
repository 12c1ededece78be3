"""Rehearsing a program on sample values in a small machine of our own: see ``machine``."""

from .limits import UnknownError
from .rehearse import TYPICAL, Ending, Rehearsals, rehearse

__all__ = ["TYPICAL", "Ending", "Rehearsals", "UnknownError", "rehearse"]
