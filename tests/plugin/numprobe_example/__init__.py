"""One part of every kind for numprobe."""
