"""Processes that spend from one book until it is used up, for each line ``URL RESULTS TOTAL COUNT``.

One process loads litellm and forks the others, as the workflow's warm server does.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from labagent.errors import MoneySpent
from labagent.llm import Book, LitellmModel, paying
from labagent.llm.service import load_litellm
from labagent.models.config import ModelSettings, Price
from labagent.models.spending import Spending
from labagent.trace import TraceWriter

ASK = [{"role": "user", "content": "hello"}]
PRICE = Price(input=1000, output=1000)


def spend(url: str, results: Path, total: float, number: int) -> None:
    """Ask again and again, until there is no money."""
    settings = ModelSettings(
        model="openai/local", api_base=url, price=PRICE, max_output_tokens=100, retries=0, timeout_seconds=20
    )
    folder = results / "runs" / "model" / f"t{number}" / "1" / "try-1"
    book = Book(results, Spending(total_usd=total), f"reproduce/model/t{number}/1")
    with TraceWriter(folder / "trace.jsonl") as trace, paying(book):
        model = LitellmModel(settings, trace)
        while True:
            try:
                model.complete(ASK)
            except MoneySpent as error:
                trace.event("end", status="infrastructure", reason=str(error))
                return


def main() -> None:
    """Fork spenders for each line; say who they are, and when all of them have ended."""
    load_litellm()
    for name in ("httpcore", "h11", "litellm.proxy._types"):  # what its first call would load
        importlib.import_module(name)
    for line in sys.stdin:
        url, results, total, count = line.split()
        children = []
        for number in range(int(count)):
            child = os.fork()
            if child == 0:
                try:
                    spend(url, Path(results), float(total), number)
                finally:
                    os._exit(0)
            children.append(child)
        print(*children, flush=True)
        for child in children:
            os.waitpid(child, 0)
        print("done", flush=True)


if __name__ == "__main__":
    main()
