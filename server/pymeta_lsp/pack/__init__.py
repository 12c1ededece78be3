"""``pymeta-lsp pack``: problem packs on the command line, for the teacher who makes one and whoever runs a program on it."""
