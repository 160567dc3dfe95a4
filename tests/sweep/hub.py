"""A hub of the tests' own: the protocol over HTTP or TLS, with faults on demand."""
import hashlib
import http.server
import json
import re
import socket
import ssl
import subprocess
import threading
import time

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = 1 << 20  # from here on files are stored elsewhere, as the real hub does


class File:
    def __init__(self, data, large=None):
        self.data = data
        self.large = len(data) >= LARGE if large is None else large
        self.sha256 = hashlib.sha256(data).hexdigest()
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        self.etag = self.sha256 if self.large else git


class Virtual:
    """A file of any size that is a head, zeros, and a tail; nobody holds it."""
    large, sha256, etag = True, "c" * 64, "c" * 64

    def __init__(self, head, zeros, tail):
        self.parts = (head, zeros, tail)
        self.data = self

    def __len__(self):
        return len(self.parts[0]) + self.parts[1] + len(self.parts[2])

    def __getitem__(self, part):
        head, zeros, tail = self.parts
        start, end, _ = part.indices(len(self))
        behind = len(head) + zeros
        return (head[start:end] + bytes(max(0, min(end, behind) - max(start, len(head)))) +
                tail[max(0, start - behind):max(0, end - behind)])


class Hub:
    """faults: {"HEAD /path", or "/path" for GET: [fault, …]}; each request takes the first one from its list.

    A fault is a dict: status, headers; cut: bytes after which the connection is closed; delay: seconds in front of
    the body; whole: ranges are ignored; etag, length: what is said instead of the truth; data: other content;
    location: a redirect.
    """

    def __init__(self, tls=None, elsewhere=None):
        self.repos, self.faults, self.log = {}, {}, []
        self.api, self.sent = {}, 0  # answers of paths that begin with /api/; bytes of bodies
        self.always = {}  # faults that stay
        self.storage_etag = None  # what the storage of large files calls all of them, as real ones have their own
        self.lock = threading.Lock()
        hub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                hub.answer(self, False)

            def do_GET(self):
                hub.answer(self, True)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.scheme = "https" if tls else "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        # Large files come from another host name, as they do from the real hub.
        self.elsewhere = elsewhere or f"{self.scheme}://localhost:{self.port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def add(self, repo, path, data, large=None, commit=COMMIT):
        entry = self.repos.setdefault(repo, {"commit": commit, "files": {}})
        entry["commit"] = commit
        entry["files"][path] = File(data, large) if isinstance(data, bytes) else data
        return entry["files"][path]

    def requests(self, method=None, part=""):
        with self.lock:
            return [r for r in self.log if (method is None or r["method"] == method) and part in r["path"]]

    def clear(self):
        with self.lock:
            self.log.clear()

    def take_fault(self, path):
        with self.lock:
            waiting = self.faults.get(path)
            return waiting.pop(0) if waiting else self.always.get(path, {})

    def find(self, path):
        """(file, commit) or (None, error code)"""
        match = re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path)
        if not match or match.group(1) not in self.repos:
            return None, "RepoNotFound"
        repo = self.repos[match.group(1)]
        if match.group(2) not in ("main", repo["commit"]):
            return None, "RevisionNotFound"
        file = repo["files"].get(match.group(3))
        return (file, repo["commit"]) if file else (None, "EntryNotFound")

    def stored(self, digest):
        for repo in self.repos.values():
            for file in repo["files"].values():
                if file.sha256 == digest:
                    return file
        return None

    def answer(self, request, body):
        path = request.path
        with self.lock:
            self.log.append({"method": request.command, "path": path, "range": request.headers.get("Range"),
                             "if-range": request.headers.get("If-Range"), "host": request.headers.get("Host"),
                             "authorization": request.headers.get("Authorization")})
        fault = self.take_fault(path if body else f"HEAD {path}")
        if "status" in fault:
            return self.reply(request, fault["status"], fault.get("headers", {}), b"")
        if "location" in fault:
            return self.reply(request, 302, {"Location": fault["location"]}, b"")
        if path.startswith("/api/"):
            found = self.api.get(path)
            return self.reply(request, 404 if found is None else 200, {}, json.dumps(found).encode())
        if path.startswith("/stored/"):
            file = self.stored(path.rsplit("/", 1)[1])
            return self.send(request, file, {}, body, fault) if file else self.reply(request, 404, {}, b"")
        file, commit = self.find(path)
        if file is None:
            return self.reply(request, 404, {"X-Error-Code": commit}, b"")
        headers = {"X-Repo-Commit": commit}
        if file.large:
            headers.update({"X-Linked-Etag": f'"{fault.get("etag", file.etag)}"',
                            "X-Linked-Size": str(fault.get("length", len(file.data))),
                            "Location": f"{self.elsewhere}/stored/{file.sha256}"})
            return self.reply(request, 302, headers, b"")
        return self.send(request, file, headers, body, fault)

    def reply(self, request, status, headers, data):
        request.send_response(status)
        for key, value in headers.items():
            request.send_header(key, value)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def send(self, request, file, headers, body, fault):
        data = fault.get("data", file.data)
        etag = fault.get("etag", self.storage_etag or file.etag)
        start, end, status = 0, len(data), 200
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range") or "")
        same = request.headers.get("If-Range") in (None, f'"{etag}"')
        if wanted and same and not fault.get("whole"):
            start = int(wanted.group(1))
            end = min(int(wanted.group(2)) + 1 if wanted.group(2) else len(data), len(data))
            if start >= len(data):
                return self.reply(request, 416, {}, b"")
            status = 206
        request.send_response(status)
        for key, value in {**headers, "ETag": f'"{etag}"', "Accept-Ranges": "bytes"}.items():
            request.send_header(key, value)
        if status == 206:
            request.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
        request.send_header("Content-Length", str(fault.get("length", end - start)))
        request.end_headers()
        if body:
            self.send_body(request, data, start, end, fault)

    def send_body(self, request, data, start, end, fault):
        time.sleep(fault.get("delay", 0))
        if "cut" in fault:
            request.wfile.write(data[start:min(start + fault["cut"], end)])
            request.wfile.flush()
            request.close_connection = True
            request.connection.shutdown(socket.SHUT_RDWR)
            return
        step = fault.get("step", 1 << 20)
        for at in range(start, end, step):
            request.wfile.write(data[at:min(at + step, end)])
            with self.lock:
                self.sent += min(step, end - at)
            if "pause" in fault:
                time.sleep(fault["pause"])


def certificate(folder):
    """(certificate, key) for 127.0.0.1 and localhost, signed by itself."""
    names = str(folder / "cert.pem"), str(folder / "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-out", names[0], "-keyout", names[1]],
                   check=True, capture_output=True)
    return names
