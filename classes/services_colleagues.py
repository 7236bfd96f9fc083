"""The teachers of a school: inviting them, their roles, who teaches a class, and their leaving."""

from __future__ import annotations

import datetime
import secrets
from smtplib import SMTPException

from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import timezone

from classes.access import colleagues, hash_of, open_invitations
from classes.models import Classroom, Invitation, Membership, School, User
from classes.services import Action, OneTimeKey, create_teacher, end_sessions, one_transaction, record_event

INVITATIONS_WORK = datetime.timedelta(days=7)


class InvitationOver(Exception):
    """The link was used, is too old, was taken back or never given out."""


class NoLongerLead(Exception):
    """Whoever asked for it lost the role meanwhile. So two leads who remove each other at once leave one."""


class LastTeacher(Exception):
    """A class keeps a teacher: it is handed over first."""


@one_transaction
def invite(
    *, school: School, role: str, note: str, by: User, once: OneTimeKey, classroom: Classroom | None = None
) -> tuple[Invitation, str]:
    """An invitation and the token of its link, which is kept nowhere. Invitations that are too old go with it."""
    once.refuse_second_use()
    now = timezone.now()
    Invitation.objects.filter(school=school, used_at=None, expires_at__lte=now).delete()
    token = secrets.token_urlsafe(16)  # 128 bits: nobody guesses one, so tries need not be counted
    invitation = Invitation.objects.create(
        school=school,
        classroom=classroom,
        role=role,
        note=note,
        token_hash=hash_of(token),
        invited_by=by,
        invited_at=now,
        expires_at=now + INVITATIONS_WORK,
    )
    about = f"invitation:{invitation.pk}"
    record_event(action=Action.TEACHER_INVITED, school=school, by=by, about=about, detail={"role": role})
    once.keep(invitation.pk)
    return invitation, token


def send_invitation(invitation: Invitation, *, address: str, url: str) -> bool:
    """Send the link by e-mail; False where the mail server did not take it. The address is not kept."""
    context = {"invitation": invitation, "url": url}
    subject = render_to_string("classes/invitation_subject.txt", context).strip()
    text = render_to_string("classes/invitation_email.txt", context)
    try:
        return send_mail(subject, text, None, [address]) == 1
    except (OSError, SMTPException):
        return False


@one_transaction
def revoke_invitation(invitation: Invitation, *, by: User) -> None:
    about = f"invitation:{invitation.pk}"
    record_event(action=Action.INVITATION_REVOKED, school=invitation.school, by=by, about=about)
    invitation.delete()


@one_transaction
def accept_invitation(token: str, *, name: str, username: str, password: str, email: str = "") -> Membership:
    """An account, a membership and the class of the invitation. InvitationOver where the link lets nobody in."""
    invitation = open_invitations().select_for_update(of=("self",)).filter(token_hash=hash_of(token)).first()
    if invitation is None:
        raise InvitationOver
    membership = create_teacher(
        school=invitation.school, username=username, password=password, name=name, email=email, role=invitation.role
    )
    if invitation.classroom and not invitation.classroom.is_archived:
        invitation.classroom.teachers.add(membership)
    invitation.used_at, invitation.used_by = timezone.now(), membership.user
    invitation.save(update_fields=["used_at", "used_by"])
    record_event(
        action=Action.TEACHER_JOINED,
        school=invitation.school,
        by=membership.user,
        about=f"user:{membership.user_id}",
        detail={"invitation": invitation.pk},
    )
    return membership


@one_transaction
def change_role(membership: Membership, *, role: str, by: User) -> None:
    """Make a colleague a lead or a teacher; their sessions end. NoLongerLead."""
    membership = _locked(membership, by)
    if membership.role == role:
        return
    membership.role = role
    membership.save(update_fields=["role"])
    _end_rights(membership)
    about = f"user:{membership.user_id}"
    record_event(action=Action.ROLE_CHANGED, school=membership.school, by=by, about=about, detail={"role": role})


@one_transaction
def remove_teacher(membership: Membership, *, by: User) -> None:
    """End a colleague's access: sessions, login, classes. The account stays as the name of who recorded what.

    Classes without another teacher stay with the leads. NoLongerLead.
    """
    membership = _locked(membership, by)
    membership.user.is_active = False
    membership.user.save(update_fields=["is_active"])
    classrooms = sorted(membership.classrooms.values_list("pk", flat=True))
    membership.classrooms.clear()
    membership.role = Membership.Role.TEACHER  # who is let in again begins as any teacher
    membership.save(update_fields=["role"])
    _end_rights(membership)
    record_event(
        action=Action.TEACHER_REMOVED,
        school=membership.school,
        by=by,
        about=f"user:{membership.user_id}",
        detail={"classrooms": classrooms},
    )


@one_transaction
def readmit_teacher(membership: Membership, *, by: User) -> None:
    """Let a removed colleague log in again, as a teacher without classes. NoLongerLead."""
    membership = _locked(membership, by)
    membership.user.is_active = True
    membership.user.save(update_fields=["is_active"])
    about = f"user:{membership.user_id}"
    record_event(action=Action.TEACHER_READMITTED, school=membership.school, by=by, about=about)


def _locked(membership: Membership, by: User) -> Membership:
    """The membership as it is, one change in the school at a time. Whoever acts is a lead still, and so one remains."""
    school = School.objects.select_for_update().get(pk=membership.school_id)
    if not colleagues(school).filter(user=by, role=Membership.Role.LEAD).exists():
        raise NoLongerLead
    return Membership.objects.select_related("user", "school").get(pk=membership.pk)


def _end_rights(membership: Membership) -> None:
    """Open sessions end; what somebody handed out who is no lead lets nobody in any more."""
    end_sessions([membership.user_id])
    if not membership.is_lead:
        Invitation.objects.filter(invited_by=membership.user_id, used_at=None).delete()


@one_transaction
def add_teacher(classroom: Classroom, membership: Membership, *, by: User) -> None:
    """One more teacher of a class."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)
    classroom.teachers.add(membership)
    _note(Action.TEACHER_ADDED_TO_CLASS, classroom, by, user=membership.user_id)


@one_transaction
def take_out_teacher(classroom: Classroom, membership: Membership, *, by: User) -> None:
    """One teacher fewer. LastTeacher where nobody would be left."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)
    if not classroom.teachers.exclude(pk=membership.pk).exists():
        raise LastTeacher
    classroom.teachers.remove(membership)
    _note(Action.TEACHER_LEFT_CLASS, classroom, by, user=membership.user_id)


@one_transaction
def hand_over(classroom: Classroom, *, to: Membership, by: User) -> None:
    """Give a class to a colleague. The giver leaves it; a lead who does not teach it replaces all its teachers."""
    Classroom.objects.select_for_update().get(pk=classroom.pk)
    giver = classroom.teachers.filter(user=by)
    leaving = list((giver if giver.exists() else classroom.teachers).exclude(pk=to.pk))
    classroom.teachers.add(to)
    classroom.teachers.remove(*leaving)
    _note(Action.CLASS_HANDED_OVER, classroom, by, to=to.user_id, left=[one.user_id for one in leaving])


def _note(action: Action, classroom: Classroom, by: User, **detail: object) -> None:
    record_event(action=action, school=classroom.school, by=by, about=f"classroom:{classroom.pk}", detail=detail)
