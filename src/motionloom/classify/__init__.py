"""Classifying: what a body does, learnt from labelled frames, decided for any frames (Arikan et al. 2003, 3.1)."""

from motionloom.classify.classifier import Classifier, classify, freeze
from motionloom.classify.kept_classifiers import KeptClassifier, find_classifier, keep_classifier
from motionloom.classify.model import Model
from motionloom.classify.settings import PAPER, USUAL, Settings, choose_settings
from motionloom.classify.training import retrain, train_view, train_windows
from motionloom.classify.windows import Windows, find_windows

__all__ = [
    "PAPER",
    "USUAL",
    "Classifier",
    "KeptClassifier",
    "Model",
    "Settings",
    "Windows",
    "choose_settings",
    "classify",
    "find_classifier",
    "find_windows",
    "freeze",
    "keep_classifier",
    "retrain",
    "train_view",
    "train_windows",
]
