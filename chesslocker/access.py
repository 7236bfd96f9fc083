"""Who may see and do what with the whole server. A miss is 404."""

from __future__ import annotations

from django.http import Http404

from chesslocker.backups import BackupRow, find_backup
from classes.access import Someone, lead_membership_of
from classes.models import School, User


def keeper_of_backups(user: Someone) -> User:
    """The account of a lead, or of whoever looks after the server; 404 for everybody else."""
    if isinstance(user, User) and is_host(user):
        return user
    return lead_membership_of(user).user


def may_download_backups(user: Someone) -> bool:
    """A backup has all schools of the server in it: where there are several, none of their leads may have it."""
    return is_host(user) or School.objects.count() == 1


def backup_to_download(user: Someone, key: str) -> BackupRow:
    keeper_of_backups(user)
    row = find_backup(key)
    if row is None or not may_download_backups(user):
        raise Http404
    return row


def is_host(user: Someone) -> bool:
    """Whoever looks after the server and could read its disk as well."""
    return user.is_active and user.is_superuser
