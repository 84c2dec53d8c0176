"""Agents of their own (Claude Code, Codex, any command) as the agent of an arm, in the run's sandbox."""
