from django.urls import path

from ratings.views import games

app_name = "ratings"

urlpatterns = [
    path("classes/<int:classroom_id>/games/", games.games, name="games"),
    path("classes/<int:classroom_id>/games/record/", games.record_game, name="record_game"),
    path("classes/<int:classroom_id>/games/quick/", games.quick_entry, name="quick_entry"),
    path("games/<int:game_id>/undo/", games.undo_game, name="undo_game"),
    path("me/games/", games.my_games, name="my_games"),
]
