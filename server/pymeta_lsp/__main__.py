"""``python -m pymeta_lsp`` is the command ``pymeta-lsp``."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
