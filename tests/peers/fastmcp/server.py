"""A kitchen server on fastmcp. Usage: server.py stdio | server.py http PORT"""

import sys

from fastmcp import FastMCP

server = FastMCP("kitchen", instructions="Say which recipe an ingredient is for.")


@server.tool(tags={"recipes"}, annotations={"readOnlyHint": True, "title": "Recipes"})
def recipes(ingredient: str, vegetarian: bool = False) -> list[str]:
    """List recipes that use an ingredient."""
    return [ingredient]


@server.tool
def order(ingredient: str, grams: int) -> str:
    """Order an ingredient."""
    return f"{grams} g of {ingredient}"


@server.resource("kitchen://pantry")
def pantry() -> str:
    """What is in the pantry"""
    return "salt"


mode, *rest = sys.argv[1:]
if mode == "http":
    server.run(transport="http", host="127.0.0.1", port=int(rest[0]), show_banner=False)
else:
    server.run(show_banner=False)
