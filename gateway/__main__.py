"""`onset`, and `python -m gateway`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; never returns."""
    try:
        # Imports take a second, in which Ctrl+C is no accident.
        from gateway.cli import app  # noqa: PLC0415
        from gateway.exits import Code  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        app(prog_name="onset")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # click and rich end with 1 where nobody reads on
            raise SystemExit(Code.PIPE_CLOSED) from None
        raise


if __name__ == "__main__":
    main()
