from django.urls import path

from classes.views import classrooms, rosters, students

app_name = "classes"

urlpatterns = [
    path("classes/", classrooms.classroom_list, name="classroom_list"),
    path("classes/new/", classrooms.create_classroom, name="create_classroom"),
    path("classes/<int:classroom_id>/edit/", classrooms.edit_classroom, name="edit_classroom"),
    path("classes/<int:classroom_id>/archive/", classrooms.archive_classroom, name="archive_classroom"),
    path("classes/<int:classroom_id>/reopen/", classrooms.reopen_classroom, name="reopen_classroom"),
    path("classes/<int:classroom_id>/delete/", classrooms.delete_classroom, name="delete_classroom"),
    path("classes/<int:classroom_id>/students/", students.students, name="students"),
    path("classes/<int:classroom_id>/students/import/", rosters.import_students, name="import_students"),
    path("classes/<int:classroom_id>/students/undo/", rosters.undo_import, name="undo_import"),
    path("classes/<int:classroom_id>/students.csv", rosters.roster_csv, name="roster_csv"),
    path("students/<int:student_id>/delete/", students.delete_student, name="delete_student"),
]
