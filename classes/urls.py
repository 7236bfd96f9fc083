from django.urls import path

from classes.views import classrooms, colleagues, languages, logins, rosters, students

app_name = "classes"

urlpatterns = [
    path("classes/", classrooms.classroom_list, name="classroom_list"),
    path("classes/new/", classrooms.create_classroom, name="create_classroom"),
    path("classes/<int:classroom_id>/edit/", classrooms.edit_classroom, name="edit_classroom"),
    path("classes/<int:classroom_id>/archive/", classrooms.archive_classroom, name="archive_classroom"),
    path("classes/<int:classroom_id>/reopen/", classrooms.reopen_classroom, name="reopen_classroom"),
    path("classes/<int:classroom_id>/delete/", classrooms.delete_classroom, name="delete_classroom"),
    path("classes/<int:classroom_id>/teachers/", colleagues.class_teachers, name="class_teachers"),
    path(
        "classes/<int:classroom_id>/teachers/<int:membership_id>/out/",
        colleagues.take_out_teacher,
        name="take_out_teacher",
    ),
    path("school/teachers/", colleagues.teachers, name="teachers"),
    path("school/teachers/invite/", colleagues.invite, name="invite"),
    path("school/teachers/<int:membership_id>/role/", colleagues.change_role, name="change_role"),
    path("school/teachers/<int:membership_id>/remove/", colleagues.remove_teacher, name="remove_teacher"),
    path("school/teachers/<int:membership_id>/readmit/", colleagues.readmit_teacher, name="readmit_teacher"),
    path("school/invitations/<int:invitation_id>/revoke/", colleagues.revoke_invitation, name="revoke_invitation"),
    path("join/<slug:token>/", colleagues.join, name="join"),
    path("classes/<int:classroom_id>/students/", students.students, name="students"),
    path("classes/<int:classroom_id>/students/import/", rosters.import_students, name="import_students"),
    path("classes/<int:classroom_id>/students/undo/", rosters.undo_import, name="undo_import"),
    path("classes/<int:classroom_id>/students.csv", rosters.roster_csv, name="roster_csv"),
    path("classes/<int:classroom_id>/cards/", logins.cards, name="cards"),
    path("classes/<int:classroom_id>/codes/", logins.codes, name="codes"),
    path("classes/<int:classroom_id>/students/<int:student_id>/password/", logins.new_password, name="new_password"),
    path("students/<int:student_id>/badge/void/", logins.void_badge, name="void_badge"),
    path("language/", languages.set_language, name="set_language"),
    path("login/code/", logins.log_in_with_code, name="log_in_with_code"),
    path("login/badge/<slug:token>/", logins.log_in_with_badge, name="log_in_with_badge"),
    path("students/<int:student_id>/delete/", students.delete_student, name="delete_student"),
]
