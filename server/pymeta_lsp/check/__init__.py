"""``pymeta-lsp check``: programs in files, diagnosed and drawn as text, JSON or SARIF."""
