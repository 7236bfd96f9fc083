"""The help: questions and answers as data, so that they can be translated, searched and linked one by one."""
