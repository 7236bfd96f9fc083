from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig as DjangoAdminConfig


class ChessLockerConfig(AppConfig):
    name = "chesslocker"


class AdminConfig(DjangoAdminConfig):
    default_site = "chesslocker.admin.ChessLockerAdminSite"
