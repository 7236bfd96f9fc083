"""The page of the backups, for leads and for whoever looks after the server."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chesslocker import backups as services
from chesslocker.access import backup_to_download, keeper_of_backups, may_download_backups
from chesslocker.copies import CopyFailed
from chesslocker.core.backups import Damaged
from chesslocker.forms.pages import OwnPasswordForm
from classes.services import Action


@require_safe
def backups(request: HttpRequest) -> HttpResponse:
    keeper_of_backups(request.user)
    rows = services.backups()
    last = services.last_good(rows)
    context = {
        "rows": rows,
        "last": last,
        "too_old": services.is_too_old(last),
        "may_download": may_download_backups(request.user),
    }
    return render(request, "backups.html", context)


@require_POST
def back_up(request: HttpRequest) -> HttpResponse:
    keeper = keeper_of_backups(request.user)
    try:
        services.make_backup(by=keeper)
    except services.Unsound:
        messages.error(
            request,
            _("Something in the data is not right. A copy was kept, but it does not count as a backup. Tell whoever "
              "looks after the server: “manage.py backup” says what was found."),
        )  # fmt: skip
    except (CopyFailed, Damaged, OSError):
        messages.error(
            request,
            _("No backup was made: it could not be written. Perhaps the disk is full. Tell whoever looks after the "
              "server: “manage.py backup” says why."),
        )  # fmt: skip
    else:
        messages.success(request, _("The backup is made, checked and stored."))
    return redirect("backups")


@require_http_methods(["GET", "HEAD", "POST"])
def download_backup(request: HttpRequest, key: str) -> HttpResponse | FileResponse:
    """The file, for the own password: an open browser is not enough. Asked for each download."""
    row = backup_to_download(request.user, key)
    form = OwnPasswordForm(request.POST if request.method == "POST" else None, request=request, button=_("Download"))
    if request.method == "POST" and form.is_valid():
        services.note_event(Action.BACKUP_DOWNLOADED, row.at, by=keeper_of_backups(request.user))
        return FileResponse(
            row.path.open("rb"), as_attachment=True, filename=row.name.file, content_type="application/zip"
        )
    return render(request, "download_backup.html", {"row": row, "form": form})
