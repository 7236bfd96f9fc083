"""Password hashing for a small computer and a whole class at once."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class SchoolArgon2Hasher(Argon2PasswordHasher):
    """argon2id, two passes over 19 MiB (the OWASP minimum): about 22 ms a login, so thirty children get in at once."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
