"""What gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from chesslocker.in_use import tell_that_it_serves

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chesslocker.settings")

application = get_wsgi_application()
tell_that_it_serves()  # a backup is not restored under a running server
