from django.urls import path

from ratings import views

app_name = "ratings"

urlpatterns = [
    path("classes/<int:classroom_id>/games/", views.games, name="games"),
    path("classes/<int:classroom_id>/games/record/", views.record_game, name="record_game"),
    path("classes/<int:classroom_id>/games/quick/", views.quick_entry, name="quick_entry"),
    path("games/<int:game_id>/undo/", views.undo_game, name="undo_game"),
    path("me/games/", views.my_games, name="my_games"),
]
