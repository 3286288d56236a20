"""`python -m numprobe`."""

import sys

from numprobe.cli import main

sys.exit(main())
