"""`onset`, and `python -m gateway`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; never returns."""
    try:
        from gateway.cli import app  # noqa: PLC0415 - imports take a second, in which Ctrl+C is no accident
    except KeyboardInterrupt:
        sys.exit(130)
    app(prog_name="onset")


if __name__ == "__main__":
    main()
