"""A run as a page: a record becomes a :class:`~.document.Page`, and a page is drawn as HTML and as Markdown."""
