"""A package, so that no other of this name is found first: IPython before 8 brings one."""
