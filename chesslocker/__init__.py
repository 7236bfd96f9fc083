"""The project: settings, URLs, and what joins the apps."""

__version__ = "0.1.0"
