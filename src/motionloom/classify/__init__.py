"""Classifying: what a body does, learnt from labelled frames, decided for any frames (Arikan et al. 2003, 3.1)."""

from motionloom.classify.model import Model
from motionloom.classify.settings import PAPER, USUAL, Settings, choose_settings
from motionloom.classify.training import retrain, train_view, train_windows
from motionloom.classify.windows import Windows, find_windows

__all__ = [
    "PAPER",
    "USUAL",
    "Model",
    "Settings",
    "Windows",
    "choose_settings",
    "find_windows",
    "retrain",
    "train_view",
    "train_windows",
]
