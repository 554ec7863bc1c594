"""A library server on Python SDK 2. Usage: server.py stdio | server.py http PORT | server.py sse PORT"""

import sys

from mcp.server import MCPServer

server = MCPServer("library", version="2.3.0", instructions="Books are lent for four weeks.")


@server.tool(title="Find books")
def find_books(words: str, limit: int = 10) -> list[str]:
    """Find books by words of their titles."""
    return [words][:limit]


@server.tool()
def lend_book(number: str) -> str:
    """Lend a book to the user."""
    return number


@server.prompt()
def recommend(mood: str) -> str:
    """Recommend a book"""
    return f"Recommend a book for somebody who feels {mood}."


@server.resource("library://hours")
def hours() -> str:
    """When the library is open"""
    return "always"


@server.resource("library://book/{number}")
def book(number: str) -> str:
    """What is known about one book"""
    return number


mode, *rest = sys.argv[1:]
if mode == "stdio":
    server.run("stdio")
else:
    server.run({"http": "streamable-http"}.get(mode, mode), host="127.0.0.1", port=int(rest[0]))
