"""A static host, as GitHub Pages is one: files as they are, text compressed on request."""

import gzip
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

COMPRESSED = {".html", ".css", ".js", ".json", ".svg", ".bin"}


class SiteServer:
    """Serves a folder on a free port of 127.0.0.1; use it as a context."""

    def __init__(self, folder: Path):
        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def send_head(self):
                path = Path(self.translate_path(self.path))
                if path.suffix not in COMPRESSED or not path.is_file():
                    return super().send_head()
                body = gzip.compress(path.read_bytes(), 6)
                self.send_response(200)
                self.send_header("Content-Type", self.guess_type(str(path)))
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                return BytesIO(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
