"""A class: JupyterHub gives each learner the course; docs/class.md says how, and on what server.

    python -m deploy                    start a class on this machine, for a try (`make class`)
    jupyterhub -f deploy/jupyterhub_config.py          the same as a service, for a term

place.py starts one learner's server, limits.py is loaded in each kernel, edition.py and laying.py
bring a new version of the notebooks, proxy.py installs the proxy. What is kept from others, and not
made here: hub, proxy, spawner, authenticator, culler, nbgitpuller, git, bubblewrap or systemd.
"""
