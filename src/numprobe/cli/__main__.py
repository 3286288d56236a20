"""`python -m numprobe.cli`."""

import sys

from numprobe.cli import main

sys.exit(main())
