"""Models: one interface; litellm behind it, or a recording."""

from labagent.llm.book import Book
from labagent.llm.interface import Message, Model, Reply, Trace
from labagent.llm.litellm_model import LitellmModel
from labagent.llm.purse import open_purse, paying
from labagent.llm.recording import Recording
from labagent.llm.replay import ReplayModel
from labagent.llm.service import check_model

__all__ = [
    "Book",
    "LitellmModel",
    "Message",
    "Model",
    "Recording",
    "ReplayModel",
    "Reply",
    "Trace",
    "check_model",
    "open_purse",
    "paying",
]
