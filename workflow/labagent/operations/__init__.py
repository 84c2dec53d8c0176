"""Looking after a run that is under way or over: how far it is, what to attempt anew, keeping, moving it."""
