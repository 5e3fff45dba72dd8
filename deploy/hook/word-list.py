#!/usr/bin/env python3
"""An example of a hook (chat.messages.hook.url): refuses messages that contain a word of a list.

    python3 deploy/hook/word-list.py words.txt [port]

The list has one word or phrase a line; it is read again when it changes. Case, accents and the width of letters make no
difference, and a word counts only as a whole. With WEBHOOK_SECRET (that of chat.messages.hook.secret) unsigned and old
requests are refused. Listens on 127.0.0.1; the default port is 8099.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
import unicodedata
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BYTES = 1_000_000
MAX_AGE = 300
NOT_TEXT = {"type", "room", "id", "sender", "clientId", "sentAt"}


def plain(text):
    """Returns the text without differences of case, accents and width."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))


class Words:
    """The words of a file."""

    def __init__(self, path):
        self.path, self.read, self.pattern, self.lock = path, None, None, threading.Lock()
        self.search("")

    def search(self, text):
        """Returns whether the text contains one of the words."""
        with self.lock:
            state = os.stat(self.path)
            if self.read != (state.st_mtime_ns, state.st_size):
                with open(self.path, encoding="utf-8") as lines:
                    words = [re.escape(plain(line.strip())) for line in lines if line.strip()]
                self.pattern = re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)") if words else None
                self.read = (state.st_mtime_ns, state.st_size)
            pattern = self.pattern
        return bool(pattern and pattern.search(plain(text)))


def strings(value):
    """Yields the strings of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


class Hook(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    words = None
    key = None

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BYTES:
            self.close_connection = True
            return self.answer(413, {"error": "The body is too large, or has no length."})
        body = self.rfile.read(int(length))
        if self.key and not self.signed(body):
            return self.answer(401, {"error": "The signature is missing, wrong or old."})
        try:
            data = json.loads(body)["data"]
            texts = [text for name, value in data.items() if name not in NOT_TEXT for text in strings(value)]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return self.answer(400, {"error": "This is not a message."})
        if self.words.search("\n".join(texts)):
            return self.answer(200, {"allow": False, "reason": "The message contains a word that is not allowed here."})
        return self.answer(200, {"allow": True})

    def signed(self, body):
        message_id, sent = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "")
        if not sent.isdigit() or abs(time.time() - int(sent)) > MAX_AGE:
            return False
        expected = hmac.new(self.key, f"{message_id}.{sent}.".encode() + body, hashlib.sha256).digest()
        wanted = "v1," + base64.b64encode(expected).decode()
        return any(hmac.compare_digest(wanted, given) for given in self.headers.get("webhook-signature", "").split())

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Logs nothing: requests contain messages."""


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Hook.words = Words(sys.argv[1])
    encoded = os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_")
    Hook.key = base64.b64decode(encoded) if encoded else None
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) == 3 else 8099), Hook)
    server.daemon_threads = True
    print(f"Listens on http://127.0.0.1:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
