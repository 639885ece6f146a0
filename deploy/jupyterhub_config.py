"""JupyterHub's settings for a class; CLASS_... variables change them (deploy/settings.py).

    jupyterhub -f deploy/jupyterhub_config.py

Read from the folder of the repository, by the Python of its .venv. What is chosen here, and why,
stands in docs/class.md.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from course_lib.words import say  # noqa: E402
from deploy import proxy, sentences, settings  # noqa: E402
from deploy.apart import apart  # noqa: E402

chosen = settings.read(os.environ)
folder = chosen.folder
folder.mkdir(parents=True, exist_ok=True)
os.umask(0o077)  # passwords, accounts and the cookies' secret are the hub's alone
c = get_config()  # noqa: F821

c.JupyterHub.bind_url = f"http://{chosen.address}:{chosen.port}"
c.JupyterHub.hub_port = chosen.hub_port
c.JupyterHub.db_url = f"sqlite:///{folder / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(folder / "cookie_secret")
c.JupyterHub.active_server_limit = chosen.learners
c.JupyterHub.concurrent_spawn_limit = chosen.learners  # a class begins together: all wait a bit
c.ConfigurableHTTPProxy.command = [str(proxy.COMMAND)]
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{chosen.proxy_port}"
c.ConfigurableHTTPProxy.pid_file = str(folder / "proxy.pid")

# Accounts: a name and a password of the learner's own; the same name leads to the same folder.
c.JupyterHub.authenticator_class = "firstuseauthenticator.FirstUseAuthenticator"
c.FirstUseAuthenticator.dbm_path = str(folder / "passwords")
c.FirstUseAuthenticator.min_password_length = 8
listed = settings.names(folder)
c.FirstUseAuthenticator.create_users = not listed
c.Authenticator.allow_all = not listed
c.Authenticator.allowed_users = listed
c.Authenticator.admin_users = {chosen.teacher}
c.Authenticator.username_pattern = settings.NAMES
first_time = say(sentences.FIRST_TIME, rule=say(sentences.NAME_RULE))
c.JupyterHub.template_vars = {"announcement_login": first_time}

# A learner's server.
c.Spawner.cmd = [sys.executable, "-m", "deploy.place"]
c.Spawner.args = [
    "--ServerApp.terminals_enabled=False",
    "--MappingKernelManager.cull_idle_timeout=1200",  # of a notebook whose page is closed
    "--MappingKernelManager.cull_interval=120",
]
c.Spawner.notebook_dir = "~/course"
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.Spawner.environment = chosen.environment() | {
    "PYTHONPATH": str(ROOT),
    "CLASS_APART": apart(chosen)[0],
}
if chosen.spawner == "systemd":
    c.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner"
    c.SystemdSpawner.dynamic_users = True
    c.SystemdSpawner.unit_name_template = "class-{USERID}"
    c.SystemdSpawner.mem_limit = f"{2 * chosen.memory}M"  # of all kernels of one learner
    c.SystemdSpawner.cpu_limit = 1.0
    c.SystemdSpawner.isolate_tmp = True
    c.SystemdSpawner.isolate_devices = True
    c.SystemdSpawner.disable_user_sudo = True
    # A dynamic user implies ProtectSystem=strict: all but /var/lib/NAME and a /tmp is read-only.
    c.SystemdSpawner.unit_extra_properties = {"OOMPolicy": "continue"}
else:
    c.JupyterHub.spawner_class = "simple"
    c.SimpleLocalProcessSpawner.home_dir_template = str(folder / "learners" / "{username}")

# Servers that nobody uses are stopped; the files stay.
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={chosen.idle}",
            f"--max-age={chosen.longest}", f"--cull-every={min(300, max(1, chosen.idle // 4))}",
        ],
    }
]  # fmt: skip
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
