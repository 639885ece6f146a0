"""A learner of a class without a browser: what a page does over HTTP and a websocket.

    async with Learner(address, "li") as learner:
        await learner.log_in()
        await learner.follow(link)                     # pulls, and starts the server where needed
        kernel = await learner.open("01_dot_product.ipynb")
        await kernel.run("1 + 1")                      # the texts and errors of the outputs

Tests and the measurement of a class share it. What it does not do is what a page does in the
browser: load JupyterLab's scripts and draw.
"""

import asyncio
import json
import re
import uuid
from http.cookies import SimpleCookie
from urllib.parse import quote, urlencode

import aiohttp
from yarl import URL

PATIENCE = 400  # seconds that a server or a cell may take on a busy machine


class Refused(RuntimeError):
    """The class said no; the message is what a page shows."""


class Cookies(aiohttp.CookieJar):
    """Cookies by the path as it travels: aiohttp's own compares it decoded, and no browser does."""

    def filter_cookies(self, request_url: URL) -> SimpleCookie:
        """The cookies for an address; in one of /user/%E6... those set for that path."""
        path = request_url.raw_path.replace("%", "%25")
        return super().filter_cookies(request_url.with_path(path, encoded=True))


class Learner:
    """One person with a name and a password, and the cookies of one browser."""

    def __init__(self, address: str, name: str, password: str = "a quiet long word"):
        self.address, self.name, self.password = address, name, password
        self.own = f"{address}/user/{quote(name, safe='@')}"

    async def __aenter__(self):
        self.web = aiohttp.ClientSession(
            cookie_jar=Cookies(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=PATIENCE),
        )
        return self

    async def __aexit__(self, *_):
        await self.web.close()

    async def log_in(self) -> None:
        """Log in; the first time this makes the account.

        Raises: Refused, with the sentence of the page.
        """
        address = f"{self.address}/hub/login"
        async with self.web.get(address) as shown:
            mark = re.search(r'name="_xsrf" value="([^"]*)"', await shown.text())
        fields = {"username": self.name, "password": self.password, "_xsrf": mark[1]}
        async with self.web.post(address, data=fields, allow_redirects=False) as answer:
            if answer.status != 302:
                raise Refused(said_by(await answer.text()) or f"status {answer.status}")

    def _mark(self, path: str) -> str:
        """The token against forged requests that a page of `path` has."""
        found = self.web.cookie_jar.filter_cookies(URL(self.address + path))
        return found["_xsrf"].value if "_xsrf" in found else ""

    async def follow(self, link: str) -> str:
        """Follow a link of the class to its end, as a page does; returns where it leads.

        Raises: Refused, with the sentence of the hub's page.
        """
        _, where = await self._shown(link)
        if "spawn-pending" in where:
            await self._server_is_up()
            _, where = await self._shown(link)
        if "/git-pull" not in where:
            return where
        asked = link.partition("?")[2]
        async with self.web.get(f"{self.own}/git-pull/api?{asked}") as stream:
            said = [json.loads(line[6:]) async for line in stream.content if line[:6] == b"data: "]
        if not said or said[-1]["phase"] != "finished":
            raise Refused(str(said[-1:]))
        return re.search(r"urlpath=([^&]*)", asked)[1]

    async def _shown(self, address: str) -> tuple[str, str]:
        async with self.web.get(address) as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise Refused(f"{answer.status}: {said_by(text)}")
            return text, str(answer.url)

    async def _server_is_up(self) -> None:
        name = quote(self.name, safe="")
        marks = {"X-XSRFToken": self._mark("/hub/")}
        progress = f"{self.address}/hub/api/users/{name}/server/progress"
        async with self.web.get(progress, headers=marks) as stream:
            async for line in stream.content:
                told = json.loads(line[6:]) if line[:6] == b"data: " else {}
                if told.get("ready"):
                    return
                if told.get("failed"):
                    raise Refused(told.get("message", "the server did not start"))
        raise Refused("the server did not start")

    async def api(self, path: str, method: str = "GET", **told) -> dict | list | None:
        """Ask the learner's own server."""
        marks = {"X-XSRFToken": self._mark(self.own.removeprefix(self.address) + "/")}
        asked = self.web.request(method, f"{self.own}/api/{path}", headers=marks, **told)
        async with asked as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise Refused(f"{answer.status}: {said_by(text)}")
        return json.loads(text) if text else None

    async def open(self, path: str) -> "Kernel":
        """Open a notebook: its session and its kernel, which a second page of it shares."""
        wanted = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        await self._shown(f"{self.own}/lab/tree/{path}")
        made = await self.api("sessions", "POST", json=wanted)
        kernel = made["kernel"]["id"]
        address = f"{self.own}/api/kernels/{kernel}/channels?{urlencode({'session_id': 'page'})}"
        socket = await self.web.ws_connect(address, max_msg_size=0)
        return Kernel(kernel, socket)


class Kernel:
    """A page's side of a kernel: cells that run, and explorers that are moved."""

    def __init__(self, name: str, socket: aiohttp.ClientWebSocketResponse):
        self.name, self.socket = name, socket
        self.explorers: list[dict] = []
        self._waiting: dict[str, tuple[asyncio.Future, list[dict]]] = {}
        self._asked: dict[tuple[str, int], asyncio.Future] = {}
        self._reader = asyncio.create_task(self._read())

    async def run(self, source: str, seconds: float = PATIENCE) -> list[dict]:
        """Run a cell; returns its outputs, in nbformat's words."""
        content = {
            "code": source, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": True,
        }  # fmt: skip
        done, outputs = asyncio.get_running_loop().create_future(), []
        message = _message("execute_request", content)
        self._waiting[message["header"]["msg_id"]] = done, outputs
        await self.socket.send_str(json.dumps(message))
        await asyncio.wait_for(done, seconds)
        return outputs

    async def step(self, explorer: dict, number: int, params: dict) -> dict:
        """Ask an explorer for a frame, as the page does at a slider's step."""
        done = asyncio.get_running_loop().create_future()
        self._asked[explorer["comm"], number] = done
        asked = {"kind": "ask", "id": number, "params": params, "since": explorer["since"]}
        told = {"comm_id": explorer["comm"], "data": {"method": "custom", "content": asked}}
        await self.socket.send_str(json.dumps(_message("comm_msg", told)))
        frame = await asyncio.wait_for(done, PATIENCE)
        explorer["since"] = frame["number"]
        return frame

    async def close(self) -> None:
        """Close the page; the kernel goes on."""
        self._reader.cancel()
        await self.socket.close()

    async def _read(self) -> None:
        async for packet in self.socket:
            if packet.type is not aiohttp.WSMsgType.TEXT:
                continue
            message = json.loads(packet.data)
            kind, content = message["header"]["msg_type"], message["content"]
            if kind in ("comm_open", "comm_msg"):
                self._comm(kind, content)
            parent = message.get("parent_header", {}).get("msg_id")
            done, outputs = self._waiting.get(parent, (None, []))
            if kind in ("stream", "error", "execute_result", "display_data"):
                outputs.append({"output_type": kind} | content)
            ends = kind == "status" and content["execution_state"] == "idle"
            if ends and done is not None and not done.done():
                done.set_result(None)

    def _comm(self, kind: str, content: dict) -> None:
        data = content["data"]
        start = data.get("state", {}).get("start")
        if kind == "comm_open" and isinstance(start, dict) and "controls" in start:
            shown = {"comm": content["comm_id"], "start": start}
            self.explorers.append(shown | {"since": start["frame"]["number"]})
        told = data.get("content", {})
        if kind == "comm_msg" and told.get("kind") == "frame":
            done = self._asked.pop((content["comm_id"], told["id"]), None)
            if done is not None and not done.done():
                done.set_result(told)


def _message(kind: str, content: dict) -> dict:
    header = {
        "msg_id": uuid.uuid4().hex, "username": "learner", "session": "page", "version": "5.3",
        "msg_type": kind,
    }  # fmt: skip
    parts = {"parent_header": {}, "metadata": {}, "channel": "shell", "buffers": []}
    return {"header": header, "content": content} | parts


def said_by(page: str) -> str:
    """What a page of the hub tells in its alert or as its error; "" where it tells nothing."""
    if page.startswith("{"):
        return json.loads(page).get("message", "")
    found = re.search(r'class="[^"]*\balert (?!alert-warning)[^"]*"[^>]*>(.*?)</div>', page, re.S)
    found = found or re.search(r'class="error"[^>]*>.*?<p>(.*?)</p>', page, re.S)
    found = found or re.search(r'class="login_error">(.*?)</p>', page, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""
