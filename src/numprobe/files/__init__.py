"""Where numprobe keeps what it can fetch or compute again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """$NUMPROBE_CACHE, or numprobe's folder in $XDG_CACHE_HOME, which is ~/.cache unless set."""
    own = os.environ.get("NUMPROBE_CACHE")
    if own:
        return Path(own).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification has relative paths ignored.
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "numprobe"
