"""Reading and writing files safely, and the folder for files that can be fetched or computed again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return $NUMPROBE_CACHE, or else numprobe's folder in $XDG_CACHE_HOME, by default ~/.cache."""
    own = os.environ.get("NUMPROBE_CACHE")
    if own:
        return Path(own).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification says that relative paths are to be ignored.
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "numprobe"
