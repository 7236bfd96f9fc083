from django.contrib import admin
from django.urls import include, path

from chesslocker import views, views_backups, views_privacy, views_year
from classes.views import accounts

urlpatterns = [
    path("", views.home, name="home"),
    path("help/", views.help_page, name="help"),
    path("signup/", views.sign_up, name="signup"),
    path("login/", accounts.login, name="login"),
    path("logout/", accounts.logout, name="logout"),
    path("password/", accounts.change_password, name="password_change"),
    path("password/reset/", accounts.ask_reset, name="password_reset"),
    path("password/reset/sent/", accounts.reset_sent, name="password_reset_sent"),
    path("password/reset/<uidb64>/<token>/", accounts.reset_password, name="password_reset_confirm"),
    path("classes/<int:classroom_id>/", views.class_page, name="class_page"),
    path("classes/<int:classroom_id>/students/add/", views.add_student, name="add_student"),
    path(
        "classes/<int:classroom_id>/students/<int:student_id>/active/",
        views.set_student_active,
        name="set_student_active",
    ),
    path("students/<int:student_id>/", views.student_for_class, name="student_page"),
    path("students/<int:student_id>/edit/", views.edit_student, name="edit_student"),
    path("students/<int:student_id>/move/", views_year.move_student, name="move_student"),
    path("students/<int:student_id>/merge/", views_year.merge_student, name="merge_student"),
    path("merges/<int:merge_id>/undo/", views_year.undo_merge, name="undo_merge"),
    path("school/rollover/", views_year.rollover, name="rollover"),
    path("school/rollover/<int:rollover_id>/undo/", views_year.undo_rollover, name="undo_rollover"),
    path("me/", views.me, name="me"),
    path("me/classes/<int:classroom_id>/", views.my_class, name="my_class"),
    path("privacy/", views_privacy.privacy, name="privacy"),
    path("school/", views_privacy.school_settings, name="school"),
    path("school/audit/", views_privacy.audit_trail, name="audit_trail"),
    path("school/retention/", views_privacy.due_students, name="retention"),
    path("students/<int:student_id>/export/", views_privacy.export_student, name="export_student"),
    path("students/<int:student_id>/erase/", views_privacy.erase_student, name="erase_student"),
    path("students/<int:student_id>/view/", views_privacy.view_as_student, name="view_as_student"),
    path("school/backups/", views_backups.backups, name="backups"),
    path("school/backups/new/", views_backups.back_up, name="back_up"),
    path("school/backups/<slug:key>/", views_backups.download_backup, name="download_backup"),
    path("", include("classes.urls")),
    path("", include("ratings.urls")),
    path("", include("tournaments.urls")),
    path("admin/", admin.site.urls),
]
