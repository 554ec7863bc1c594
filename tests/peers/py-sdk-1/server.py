"""A weather server on Python SDK 1. Usage: server.py stdio | server.py http PORT | server.py sse PORT"""

import sys
from typing import Literal

from mcp.server.fastmcp import FastMCP

mode, *rest = sys.argv[1:]
settings = {"host": "127.0.0.1", "port": int(rest[0])} if rest else {}
server = FastMCP("weather", instructions="Temperatures are in degrees Celsius.", **settings)


@server.tool()
def forecast(place: str, days: int = 3, detail: Literal["short", "long"] = "short") -> list[str]:
    """Say what the weather will be."""
    return ["dry"] * days


@server.tool(title="Warnings")
def warnings(place: str | None = None) -> str:
    """List the warnings in force, of one place or of all."""
    return "none"


@server.prompt()
def travel(place: str) -> str:
    """Plan a journey around the weather"""
    return f"Plan a journey to {place}."


server.run({"http": "streamable-http"}.get(mode, mode))
