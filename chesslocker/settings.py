"""All settings, read from the environment. Everything unsafe is off unless it is asked for.

CHESSLOCKER_DATA     folder for the database and the secret key (default: var/ in the project)
CHESSLOCKER_BACKUPS  folder for the backups (default: backups/ in the data folder)
CHESSLOCKER_BIND     address and port to listen on (default 127.0.0.1:8000)
CHESSLOCKER_HOSTS    names by which the site is reached, separated by commas
CHESSLOCKER_HTTPS    1 behind a proxy that speaks HTTPS: redirect, HSTS, Secure cookies
CHESSLOCKER_PROXIES  number of trusted proxies in front (default 0)
CHESSLOCKER_SIGNUP   `first` (default): open until the first school exists; `open`: a server of many schools
DATABASE_URL         for example postgres://user:password@host/name (default: SQLite in the data folder)
SECRET_KEY           default: made once and kept in the data folder
EMAIL_HOST           an SMTP server, where there is one; with EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD,
                     EMAIL_USE_TLS (1) and DEFAULT_FROM_EMAIL
CHESSLOCKER_DEBUG    1 for developers only
"""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"


def flag(name: str) -> bool:
    return os.environ.get(name, "") in {"1", "true", "yes", "on"}


def words(name: str) -> list[str]:
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


DATA_DIR = Path(os.environ.get("CHESSLOCKER_DATA") or BASE_DIR / "var").resolve()
BACKUP_DIR = Path(os.environ.get("CHESSLOCKER_BACKUPS") or DATA_DIR / "backups").resolve()


def kept_secret_key(folder: Path) -> str:
    """The key kept in the data folder, made on the first start. Safe when several processes start at once."""
    path = folder / "secret_key"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileExistsError):
        draft = folder / f"secret_key.{os.getpid()}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)  # fails where another process was first: its key holds
        finally:
            draft.unlink()
    return path.read_text().strip()


SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret_key(DATA_DIR)
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured("SECRET_KEY must be at least 50 random characters; leave it out to have one made.")
SECRET_KEY_FALLBACKS = words("SECRET_KEY_FALLBACKS")

DEBUG = flag("CHESSLOCKER_DEBUG")
HTTPS = flag("CHESSLOCKER_HTTPS")
PROXIES = int(os.environ.get("CHESSLOCKER_PROXIES") or 0)
SIGNUP = os.environ.get("CHESSLOCKER_SIGNUP") or "first"
if SIGNUP not in {"first", "open"}:
    raise ImproperlyConfigured("CHESSLOCKER_SIGNUP must be `first` or `open`.")
BIND = os.environ.get("CHESSLOCKER_BIND") or "127.0.0.1:8000"
ALLOWED_HOSTS = words("CHESSLOCKER_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("CHESSLOCKER_HOSTS must name the hosts; * would let anybody choose one.")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS] if HTTPS else []

INSTALLED_APPS = [
    "chesslocker.apps.ChessLockerConfig",
    "tournaments",
    "ratings",
    "classes",
    "chesslocker.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_htmx",
    "simple_history",
]

MIDDLEWARE = [
    "classes.middleware.TrustedProxies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "classes.middleware.PrivateAnswers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "classes.middleware.IdleSessions",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "classes.middleware.AccountLanguage",
    "classes.middleware.SchoolTime",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "classes.middleware.ClearAnswers",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "chesslocker.urls"
WSGI_APPLICATION = "chesslocker.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "chesslocker.context.site",
            ],
        },
    },
]

DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'chesslocker.sqlite3'}", conn_max_age=60
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # IMMEDIATE: two teachers' clicks queue instead of failing. FULL: what was acknowledged survives a power cut.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
        "PRAGMA secure_delete=ON;",
    }
    # Tests of threads need a file: the shared database in memory answers "table is locked" at once. One for each run.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / f"test.{os.getpid()}.sqlite3"}
    DATA_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "classes.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["classes.hashers.SchoolArgon2Hasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
     "OPTIONS": {"user_attributes": ("username", "name", "email")}},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]  # fmt: skip
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
PASSWORD_RESET_TIMEOUT = 60 * 60

# A class shares one address, so only the pair of user name and address is slowed down.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 2 / 60  # hours
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "classes.middleware.client_address"
AXES_LOCKOUT_CALLABLE = "classes.views.accounts.too_many_tries"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = ["password"]

DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000  # a new school year asks one question a student
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_AGE = 12 * 60 * 60
IDLE_LIMITS = {"student": 2 * 60 * 60, "teacher": 12 * 60 * 60}  # seconds
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("es", "Español"), ("fr", "Français")]  # each in its own words
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CRISPY_ALLOWED_TEMPLATE_PACKS = CRISPY_TEMPLATE_PACK = "bootstrap5"
SIMPLE_HISTORY_HISTORY_ID_USE_UUID = False

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_CONFIGURED = bool(EMAIL_HOST)
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend" if EMAIL_HOST else "django.core.mail.backends.dummy.EmailBackend"
)
EMAIL_PORT = int(os.environ.get("EMAIL_PORT") or 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "chesslocker@localhost")

# The log has addresses of pages and ids, never names.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "axes": {"handlers": ["console"], "level": "CRITICAL", "propagate": False},
    },
}
