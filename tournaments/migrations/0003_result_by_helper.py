"""A board says when a helper entered its result."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_helper_link")]

    operations = [
        migrations.AddField(
            model_name="historicalpairing",
            name="entered_with",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="tournaments.helperlink",
                verbose_name="entered by a helper",
            ),
        ),
        migrations.AddField(
            model_name="pairing",
            name="entered_with",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.helperlink",
                verbose_name="entered by a helper",
            ),
        ),
    ]
