"""Links with which a helper without an account enters results."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0001_tournaments"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HelperLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True, verbose_name="hash of the code")),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="made")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tournaments.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "helper link",
                "verbose_name_plural": "helper links",
                "ordering": ("-made_at",),
            },
        ),
    ]
