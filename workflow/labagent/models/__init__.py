"""Typed records (pydantic): the contracts between stages. JSON schemas are generated from them."""
