"""The admin site: only for staff, and what the ledger holds is only changed through the services."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _


class ChessLockerAdminSite(admin.AdminSite):
    site_header = _("ChessLocker administration")
    site_title = _("ChessLocker")
    index_title = _("All records")
