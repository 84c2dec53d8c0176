"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# What lands must not depend on luck: the suite draws the same cases each time, and HYPOTHESIS_PROFILE=explore
# looks for new ones.
settings.register_profile("default", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
