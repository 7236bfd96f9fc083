from django.urls import path

from ratings.views import adjustments, calculator, corrections, economy, exports, games, learn, practice, rating_lists

app_name = "ratings"

urlpatterns = [
    path("classes/<int:classroom_id>/games/", games.games, name="games"),
    path("classes/<int:classroom_id>/games/record/", games.record_game, name="record_game"),
    path("classes/<int:classroom_id>/games/quick/", games.quick_entry, name="quick_entry"),
    path("classes/<int:classroom_id>/games.csv", exports.games_csv, name="games_csv"),
    path("classes/<int:classroom_id>/ledger.csv", exports.ledger_csv, name="ledger_csv"),
    path("classes/<int:classroom_id>/leaderboard.csv", exports.leaderboard_csv, name="leaderboard_csv"),
    path("games/<int:game_id>/", corrections.game, name="game"),
    path("games/<int:game_id>/correct/", corrections.correct_game, name="correct_game"),
    path("games/<int:game_id>/void/", corrections.void_game, name="void_game"),
    path("games/<int:game_id>/back/", corrections.unvoid_game, name="unvoid_game"),
    path("classes/<int:classroom_id>/elo/", economy.economy, name="economy"),
    path("classes/<int:classroom_id>/elo/checked/", economy.check_economy, name="check_economy"),
    path("classes/<int:classroom_id>/elo/adjust/", adjustments.adjust_ratings, name="adjust_ratings"),
    path("classes/<int:classroom_id>/elo/adjustments/", adjustments.adjustments, name="adjustments"),
    path("classes/<int:classroom_id>/elo/adjustments/csv/", adjustments.adjustments_csv, name="adjustments_csv"),
    path("adjustments/<int:adjustment_id>/undo/", adjustments.undo_adjustment, name="undo_adjustment"),
    path("adjustments/<int:adjustment_id>/void/", adjustments.void_adjustment, name="void_adjustment"),
    path("adjustments/<int:adjustment_id>/back/", adjustments.unvoid_adjustment, name="unvoid_adjustment"),
    path("games/<int:game_id>/undo/", games.undo_game, name="undo_game"),
    path("me/games/", games.my_games, name="my_games"),
    path("school/lists/", rating_lists.rating_lists, name="rating_lists"),
    path("school/lists/<int:list_id>/", rating_lists.rating_list, name="rating_list"),
    path("calculator/", calculator.game, name="calculator_game"),
    path("calculator/games/", calculator.games, name="calculator_games"),
    path("calculator/fide/", calculator.fide_period, name="calculator_fide"),
    path("calculator/first/", calculator.first_rating, name="calculator_first"),
    path("calculator/glicko/", calculator.glicko_period, name="calculator_glicko"),
    path("calculator/us/", calculator.us_event, name="calculator_us"),
    path("school/lists/<int:list_id>/bands/", rating_lists.show_bands, name="show_bands"),
    path("learn/", learn.learn, name="learn"),
    path("learn/pieces/", practice.pieces, name="pieces"),
    path("learn/<slug:slug>/", learn.topic, name="topic"),
    path("practice/<int:set_id>/award/", practice.award_practice, name="award_practice"),
]
