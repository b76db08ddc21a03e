"""A JupyterHub of one machine for this course; docs/jupyterhub.md goes through it.

With KERNELLAB_TRY=FOLDER it is for trying only: anybody's name, no password, all as the one user
who starts it, with homes in FOLDER.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub brings it)
TRY = os.environ.get("KERNELLAB_TRY")
COURSE = os.environ.get("KERNELLAB_COURSE", "/srv/kernellab")  # the archive of `make release`
SERVER = str(Path(sys.executable).parent / "jupyterhub-singleuser")

c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # the web server in front has the certificate
c.JupyterHub.concurrent_spawn_limit = 20
c.Spawner.start_timeout = 120  # when a class arrives, all start at once
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
# As the student: bring the notebooks that are not there yet, then start. What was changed stays.
c.Spawner.cmd = ["sh", "-c", 'cp -Rn "$0/notebooks" "$HOME/"; exec "$@"', COURSE, SERVER]
# Matrices are small here, and many processes of many threads only wait for each other.
c.Spawner.environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

if TRY:
    c.JupyterHub.authenticator_class = "dummy"
    c.Authenticator.allow_all = True
    c.JupyterHub.spawner_class = "simple"
    c.SimpleLocalProcessSpawner.home_dir_template = str(Path(TRY, "{username}"))
    c.Spawner.args = ["--allow-root"]
    c.JupyterHub.services = [{"name": "trial", "api_token": os.environ["KERNELLAB_TOKEN"]}]
    scopes = ["admin:users", "admin:servers", "access:servers"]
    c.JupyterHub.load_roles = [{"name": "trial", "services": ["trial"], "scopes": scopes}]
else:
    c.JupyterHub.authenticator_class = "pam"  # who has an account on the machine
    c.LocalAuthenticator.allowed_groups = {"students", "teachers"}
