"""The tools for clients that speak MCP (Model Context Protocol), over stdio or HTTP; see ``labagent mcp``."""
