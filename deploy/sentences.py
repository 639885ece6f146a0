"""What a teacher or a learner reads of a class; filled by `say`."""

PORT_TAKEN = (
    "Port {port} is in use, by another class or another program; nothing was started. "
    "Choose another one: make class PORT={other}"
)
NO_NODE = (
    "A class needs Node.js 20 or newer for the hub's proxy, and there is {found}. Install it "
    "(Debian, Ubuntu: apt-get install nodejs npm; conda: conda install -c conda-forge nodejs), "
    "then run the same command again. Nothing was started."
)
NO_NPM = "The hub's proxy is not installed, and npm, which installs it, is not there. Install npm."
NPM_FAILED = "npm could not install the hub's proxy: {said}. Run the same command again."
NO_HUB = "JupyterHub is not installed in this Python: `make class` installs it."
BAD_SETTING = "{name} is {value!r}; it has to be {wanted}."
CANNOT_WRITE = "The class cannot be kept in {folder}: {error}. Nothing was started."
OPENING = """\
The class is at {address}
  folder    {folder}: what learners typed, and who they are; keep a copy of it
  learners  {learners} at a time; {memory} MiB for a kernel, {seconds} s of the processor for a cell
  apart     {apart}
  teacher   log in first, as {teacher}: a name belongs to who comes first; {who}
Links that open a chapter, for your page or your mail:"""
ANYBODY = "anybody who reaches this address can come in (names.txt in the folder says who may)"
LISTED = "{number} names may come in, by names.txt"
APART_BUBBLE = "each in bubblewrap: the course and Python to read, nothing of the others"
APART_SYSTEMD = "each a systemd service with a user of its own"
APART_NOT = (
    "NOT apart, and the course can be written to: {why} For a try among people whom you trust."
)
NO_BUBBLE = "bwrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)."

BAD_NAME = "names.txt has a line that cannot be a name: {name!r}. {rule}"
NAME_RULE = (
    "A name begins with a letter or a digit and has at most 40 characters: letters of any "
    "language, digits, and . _ @ - between them."
)
FIRST_TIME = (
    "The first time, choose a name and a password of 8 to 24 characters; from then on both lead to "
    "your own work. {rule} Is a name refused that fits, somebody else has it: choose another one."
)
NO_FOLDER = "HOME is not set: a learner's server needs a folder of its own."
NEWS = "Laid for you on {date}:"

MEMORY = (
    "This cell asked for more memory than a kernel of the class has ({limit} MiB), and was "
    "stopped. What you typed, your progress and the work of everybody else are as they were. "
    "Ask for less; or begin with a free memory: Kernel, Restart Kernel."
)
TIME = (
    "This cell used {seconds} s of the processor, the limit of the class, and was stopped. What "
    "you typed, your progress and the work of everybody else are as they were. Other cells run "
    "as before."
)
