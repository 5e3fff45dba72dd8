"""Uses stomp.py over WebSocket: the same steps as stompjs.mjs, in text and in binary frames.

    python stomp_py.py <url> <user> <password> <room>

Prints the result as one line of JSON.
"""
import json
import sys
import threading
import urllib.parse
import urllib.request

import stomp

URL, USER, PASSWORD, ROOM = sys.argv[1:]
TIMEOUT = 60


def call(path, body, token=None):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    if token:
        request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        return json.load(response)


class Follower(stomp.ConnectionListener):
    """Records what is received over all connections."""

    def __init__(self):
        self.changed = threading.Condition()
        self.user_name = None
        self.texts, self.receipts, self.recovered, self.errors = [], [], [], []
        self.last = None
        self.duplicates = 0
        self.disconnects = 0

    def on_connected(self, frame):
        self.note(lambda: setattr(self, "user_name", frame.headers.get("user-name")))

    def on_receipt(self, frame):
        self.note(lambda: self.receipts.append(frame.headers["receipt-id"]))

    def on_error(self, frame):
        self.note(lambda: self.errors.append(frame.headers.get("message")))

    def on_disconnected(self):
        self.note(lambda: setattr(self, "disconnects", self.disconnects + 1))

    def on_message(self, frame):
        self.note(lambda: self.take(json.loads(frame.body)))

    def take(self, event):
        if event["type"] == "subscribed":
            self.recovered.append(event["recovered"])
            self.last = event["head"] if self.last is None else self.last
        elif event["position"] > self.last:
            self.last = event["position"]
            self.texts.append(event["text"])
        else:
            self.duplicates += 1

    def note(self, change):
        with self.changed:
            change()
            self.changed.notify_all()

    def wait(self, what, condition):
        with self.changed:
            if not self.changed.wait_for(condition, TIMEOUT):
                raise SystemExit(f"Timed out after {TIMEOUT} s waiting for: {what}")


def connect(follower, token, receipt, binary):
    address = urllib.parse.urlsplit(URL)
    connection = stomp.WSConnection(
        [(address.hostname, address.port)], ws_path="/ws", vhost=address.hostname, binary_mode=binary,
        header={"Sec-WebSocket-Protocol": "v12.stomp"}, reconnect_attempts_max=1)
    connection.set_listener("follower", follower)
    connection.connect(wait=True, headers={"Authorization": "Bearer " + token})
    headers = {"receipt": receipt}
    if follower.last is not None:
        headers["after"] = str(follower.last)
    connection.subscribe(f"/topic/rooms.{ROOM}", id="room", headers=headers)
    follower.wait("the subscription", lambda: receipt in follower.receipts)
    return connection


def send(connection, text):
    connection.send(f"/app/rooms.{ROOM}.send", json.dumps({"clientId": "py-" + text, "text": text}),
                    content_type="application/json", headers={"receipt": "receipt-" + text})


def main():
    follower = Follower()
    token = call("/api/auth/login", {"username": USER, "password": PASSWORD})["accessToken"]
    connection = connect(follower, token, "subscribed-1", binary=False)
    for text in ("one", "two", "three"):
        send(connection, text)
    follower.wait("receipts and messages", lambda: len(follower.receipts) == 4 and len(follower.texts) == 3)

    connection.transport.disconnect_socket()
    for text in ("four", "five"):
        call(f"/api/rooms/{ROOM}/messages", {"clientId": "py-" + text, "text": text}, token)
    connection = connect(follower, token, "subscribed-2", binary=True)
    follower.wait("the missed messages", lambda: len(follower.texts) == 5)
    send(connection, "six – ü 😀")
    follower.wait("the last message", lambda: len(follower.texts) == 6 and len(follower.receipts) == 6)

    connection.disconnect(receipt="goodbye")
    follower.wait("the end", lambda: "goodbye" in follower.receipts)
    print(json.dumps({"userName": follower.user_name, "texts": follower.texts, "receipts": follower.receipts,
                      "recovered": follower.recovered, "duplicates": follower.duplicates,
                      "errors": follower.errors}))


if __name__ == "__main__":
    main()
