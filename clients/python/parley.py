"""A client of a Parley chat server, in one file: asyncio and the library websockets.

    async with Client("https://chat.example.org", get_token) as client:
        room = client.room("i3l4NkYsRLTCHWPx")
        position = (await room.send("Hello"))["position"]   # durable now, also after reconnects
        async for event in room.events():                    # each event once, in order, without gaps
            print(event["type"], event.get("text"))

`docs/clients.md` says how a client behaves, and why. Everything runs in one event loop; requests over HTTP run in threads.
Needs Python 3.11 and `pip install websockets`.
"""

import asyncio
import base64
import contextlib
import inspect
import json
import random
import re
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import OrderedDict, deque

import websockets

HEARTBEAT_S = 10
SILENCE_S = 20
TIMEOUT_S = 10
STABLE_S = 10
BASE_S, CAP_S = 1, 30
PAGE = 100
# More events than this wait for nobody: they are dropped, and fetched when the reader has caught up.
MOST_WAITING = 1_000
REMEMBERED = 1_000
REFRESH_AFTER = 0.8
TEMPORARY = {"rate-limited", "server-busy", "log-unavailable", "append-unknown", "store-unavailable", "check-unavailable",
             "issuer-unavailable"}
TOKEN_REFUSED = {"unauthorized", "token-expired"}
CLOSED = {1001: "server-stopping", 1013: "broker-away", 4401: "token-expired", 4403: "signed-out", 4408: "no-heart-beat",
          4413: "fell-behind"}
ROOM = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ParleyError(Exception):
    """A message, a request or a room was refused. `code` is for programs; `status` is 0 if the server was not reached."""

    def __init__(self, code, message, status=None, retry_after=None):
        super().__init__(message)
        self.code, self.status, self.retry_after = code, status, retry_after

    @property
    def temporary(self):
        """Whether the same request may succeed later."""
        return self.status is not None and (self.status in (0, 429) or self.status >= 500)


class MemoryStorage:
    """Ends with the program. Another storage has the same four methods; values are what JSON can hold."""

    def __init__(self):
        self._values = {}

    def get(self, key):
        return self._values.get(key)

    def set(self, key, value):
        self._values[key] = value

    def remove(self, key):
        self._values.pop(key, None)

    def list(self, prefix):
        return sorted((key, value) for key, value in self._values.items() if key.startswith(prefix))


class SqliteStorage:
    """Keeps positions and unsent messages of one user in a file."""

    def __init__(self, path):
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("CREATE TABLE IF NOT EXISTS item (key TEXT PRIMARY KEY, value TEXT NOT NULL)")

    def get(self, key):
        row = self._database.execute("SELECT value FROM item WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def set(self, key, value):
        self._database.execute("INSERT OR REPLACE INTO item VALUES (?, ?)", (key, json.dumps(value)))

    def remove(self, key):
        self._database.execute("DELETE FROM item WHERE key = ?", (key,))

    def list(self, prefix):
        rows = self._database.execute("SELECT key, value FROM item WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix))
        return [(key, json.loads(value)) for key, value in rows]


def full_jitter(failures):
    """Random between 0 and a limit that doubles, so that the clients of a restarted server do not come at the same moment."""
    return random.uniform(0, min(CAP_S, BASE_S * 2 ** min(failures, 10)))


def pause(attempts, retry_after=0):
    """How long to wait before a refused frame is sent again: always some time, and at least what the server asks for."""
    half = min(CAP_S, BASE_S * 2 ** min(max(0, attempts - 1), 10)) / 2
    return max(half, retry_after or 0) + random.uniform(0, half)


def _exchange(url, method, path, body, token):
    headers = {"Accept": "application/json, application/problem+json", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            text = response.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as refusal:
        try:
            problem = json.loads(refusal.read())
        except (ValueError, OSError):
            problem = {}
        after = refusal.headers.get("Retry-After", "")
        raise ParleyError(problem.get("code", f"http-{refusal.code}"), problem.get("detail", f"The server answered {refusal.code}."),
                          refusal.code, int(after) if after.isdigit() else None) from None
    except (OSError, ValueError) as failure:
        raise ParleyError("unreachable", f"The server cannot be reached: {failure}", 0) from None


class Account:
    """A sign-in with a password, made by `sign_in`. Its `token` is the `get_token` of a Client."""

    def __init__(self, url, username, answer):
        self.username = username
        self._url = url
        self._lock = asyncio.Lock()
        self._keep(answer)

    def _keep(self, answer):
        self._access, self._refresh = answer["accessToken"], answer["refreshToken"]
        self._lifetime = answer["expiresIn"]
        self._expires = time.monotonic() + self._lifetime

    async def token(self, refused=None):
        async with self._lock:  # a refresh token is valid once
            left = self._expires - time.monotonic()
            if self._access == refused or left < min(10, self._lifetime / 2):
                self._keep(await asyncio.to_thread(_exchange, self._url, "POST", "/api/auth/refresh", {"refreshToken": self._refresh}, None))
            return self._access, self._expires - time.monotonic()

    async def sign_out(self):
        await asyncio.to_thread(_exchange, self._url, "POST", "/api/auth/logout", None, self._access)


async def sign_in(url, username, password, device_name="parley.py"):
    """Signs in with the password of an account of the server. Raises ParleyError."""
    url = url.rstrip("/")
    body = {"username": username, "password": password, "deviceName": device_name}
    return Account(url, username, await asyncio.to_thread(_exchange, url, "POST", "/api/auth/login", body, None))


class Client:
    """Connects, and reconnects until it is closed.

    `get_token(refused)` returns, or is a coroutine of, an access token, or a pair of a token and its lifetime in seconds; not the
    `refused` one, and None when the user has signed out. `storage` belongs to one user. `on_state(name, code)` is called with
    `connecting`, `online`, `offline` and the reason, or `closed` and `closed`, `signed-out` or `other-user`. `on_event(event)` is
    called with the events of the user, and with errors that belong to no call.
    """

    def __init__(self, url, get_token, storage=None, on_state=None, on_event=None):
        if not re.match(r"https?://", url):
            raise ValueError('Client() needs the url of the server, such as "https://chat.example.org".')
        self.url = url.rstrip("/")
        self.storage = storage or MemoryStorage()
        self.state, self.code = "connecting", None
        self.username = None
        self._get_token, self._on_state, self._on_event = get_token, on_state, on_event
        self._token, self._token_until, self._refused = None, 0, None
        self._token_lock = asyncio.Lock()
        self._rooms, self._receipts, self._count = {}, {}, 0
        self._outbox = _Outbox(self)
        self._outgoing, self._timers, self._running = None, set(), None

    async def __aenter__(self):
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def close(self):
        """Ends the client. Messages that were not accepted stay in the storage; their calls raise `closed`."""
        self._end("closed", "The client was closed.")
        if self._running:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    def room(self, room):
        """Returns the handle of a room, always the same one."""
        if not ROOM.fullmatch(room):
            raise ValueError("room() needs the id of a room: 1 to 64 characters of A-Z, a-z, 0-9, _ and -.")
        if room not in self._rooms:
            self._rooms[room] = Room(self, room)
        return self._rooms[room]

    def pending(self):
        """Returns the messages that were not accepted yet, oldest first."""
        return self._outbox.pending()

    async def request(self, method, path, body=None):
        """Calls any path of the HTTP interface as this user. Raises ParleyError."""
        token = await self._valid_token()
        try:
            return await asyncio.to_thread(_exchange, self.url, method, path, body, token)
        except ParleyError as refusal:
            if refusal.status != 401:
                raise
        return await asyncio.to_thread(_exchange, self.url, method, path, body, await self._valid_token(refused=token))

    # ---- connection ----

    async def _valid_token(self, refused=None, early=10):
        async with self._token_lock:
            if self._token is None or self._token == refused or self._token_until - time.monotonic() < early:
                try:
                    answer = self._get_token(refused)
                    answer = await answer if inspect.isawaitable(answer) else answer
                except ParleyError:
                    raise
                except Exception as failure:
                    raise ParleyError("token-unavailable", f"get_token failed: {failure}", 0) from failure
                if not answer:
                    raise ParleyError("signed-out", "get_token returned no token: the user has signed out.", 401)
                self._token, left = (answer, _lifetime(answer)) if isinstance(answer, str) else answer
                self._token_until = time.monotonic() + left
            return self._token

    async def _run(self):
        failures = 0
        while self.state != "closed":
            self._become("connecting")
            since, code = None, "unreachable"
            try:
                token = await self._valid_token(self._refused)
                async with asyncio.timeout(TIMEOUT_S):
                    socket = await websockets.connect(
                        re.sub("^http", "ws", self.url) + "/ws", subprotocols=["v12.stomp"], ping_interval=None, max_size=None,
                        compression=None, close_timeout=2)
                try:
                    since, code = await self._serve(socket, token)
                finally:
                    await socket.close()
            except ParleyError as refusal:
                code = refusal.code
                if not refusal.temporary:
                    return self._end("signed-out", str(refusal))
            except (OSError, TimeoutError, websockets.WebSocketException):
                pass
            failures = 0 if since and time.monotonic() - since > STABLE_S else failures
            if code == "signed-out":
                return self._end(code, "The sign-in has ended. Sign in again.")
            if self.state == "closed":
                return
            self._become("offline", code)
            await asyncio.sleep(full_jitter(failures))
            failures += 1

    async def _serve(self, socket, token):
        """Uses a connection until it ends; returns since when it was online, and why it ended."""
        since, tasks = None, []
        await socket.send(_frame("CONNECT", {"accept-version": "1.2", "host": "parley", "heart-beat": "10000,10000",
                                             "Authorization": f"Bearer {token}"}))
        try:
            while self.state != "closed":
                # Dead when nothing arrives: TCP tells of a broken network much later. (wait_for of Python 3.11 may lose a cancellation.)
                async with asyncio.timeout(SILENCE_S):
                    data = await socket.recv()
                frame = _parse(data)
                if frame is None:
                    continue
                command, headers, body = frame
                if command == "CONNECTED":
                    if not self._accepts(headers["user-name"]):
                        return since, "other-user"
                    since, self._outgoing, self._refused = time.monotonic(), asyncio.Queue(), None
                    tasks = [asyncio.create_task(work) for work in (self._drain(socket, self._outgoing), self._beat(), self._refresh())]
                    self._become("online")
                    self._subscribe("/user/queue/events", {})
                    for room in self._rooms.values():
                        room._subscription = None
                        room._resume()
                    self._outbox.resume()
                elif command == "MESSAGE":
                    self._received(headers["destination"], json.loads(body))
                elif command == "RECEIPT":
                    self._receipts.pop(headers["receipt-id"], None)
                elif command == "ERROR":
                    code = headers.get("message", "connection-lost")
                    self._refused = token if not since and code in TOKEN_REFUSED else None
                    return since, code
            return since, self.code
        except (TimeoutError, OSError):
            return since, "connection-lost"
        except websockets.ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
            self._refused = token if code == 4401 else None
            return since, CLOSED.get(code, "connection-lost")
        finally:
            self._outgoing = None
            self._receipts.clear()
            for task in (*tasks, *self._timers):
                task.cancel()
            self._timers.clear()

    async def _drain(self, socket, outgoing):
        """Writes the frames in their order."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await socket.send(await outgoing.get())

    async def _beat(self):
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self._write("\n")

    async def _refresh(self):
        """Gets a new token before the old one expires, and sends it on the live connection."""
        while True:
            left = self._token_until - time.monotonic()
            await asyncio.sleep(max(1, left * REFRESH_AFTER))
            try:
                token = await self._valid_token(refused=self._token)
            except ParleyError as refusal:
                if not refusal.temporary:
                    self._end("signed-out", str(refusal))
                    return
            else:
                self._send("/app/token", {"accessToken": token}, "token")

    def _accepts(self, username):
        owner = self.storage.get("user")
        if owner is None:
            self.storage.set("user", username)
        elif owner != username:
            self._end("other-user", f"The storage belongs to {owner}, not to {username}: use one storage for each user.")
            return False
        self.username = username
        return True

    def _write(self, frame):
        if self._outgoing:
            self._outgoing.put_nowait(frame)

    def _send(self, destination, body, receipt):
        self._write(_frame("SEND", {"destination": destination, "content-type": "application/json", "receipt": receipt}, json.dumps(body)))

    def _subscribe(self, destination, headers, room=None, attempts=0):
        """Subscribes, and again while the server refuses it for a while."""
        self._count += 1
        receipt = f"sub-{self._count}"
        self._receipts[receipt] = (destination, headers, room, attempts + 1)
        given = headers() if callable(headers) else headers
        self._write(_frame("SUBSCRIBE", {"id": receipt, "destination": destination, "receipt": receipt, **given}))

    def _later(self, delay, action):
        """Calls an action after a delay, unless the connection ends before."""
        async def run():
            await asyncio.sleep(delay)
            action()
        task = asyncio.create_task(run())
        self._timers.add(task)
        task.add_done_callback(self._timers.discard)
        return task

    def _received(self, destination, event):
        match = re.fullmatch(r"/topic/rooms\.([A-Za-z0-9_-]+)", destination)
        if match:
            self._rooms[match[1]]._take(event)
        elif event["type"] == "accepted":
            self._outbox.accept(event)
            self._tell(event)
        elif event["type"] == "error":
            self._refuse(event)
        else:
            self._tell(event)

    def _refuse(self, error):
        code, receipt = error["code"], error.get("receipt", "")
        subscription = self._receipts.pop(receipt, None)
        if subscription:
            destination, headers, room, attempts = subscription
            if code in TEMPORARY or (code == "internal" and attempts < 5):
                self._later(pause(attempts, error.get("retryAfter")), lambda: (room is None or room._is_current(receipt))
                            and self._subscribe(destination, headers, room, attempts))
            elif room:
                room._fail(ParleyError(code, error["message"]))
        elif not self._outbox.refuse(error):
            self._tell(error)

    def _tell(self, event):
        if self._on_event:
            self._on_event(event)

    def _become(self, state, code=None):
        if self.state != "closed":
            self.state, self.code = state, code
            if self._on_state:
                self._on_state(state, code)

    def _end(self, code, message):
        if self.state == "closed":
            return
        self._become("closed", code)
        error = ParleyError(code, message)
        self._outbox.fail(error)
        for room in self._rooms.values():
            room._fail(error)


class _Outbox:
    """Messages until they are accepted: of each room one is under way, so that they keep their order even when sent again."""

    def __init__(self, client):
        self._client = client
        self._queues = {}
        self._number = 0
        for key, message in client.storage.list("outbox/"):
            self._number = int(key.removeprefix("outbox/"))
            self._enter(key, message, None)

    def send(self, message):
        if self._client.state == "closed":
            raise ParleyError("closed", "The client is closed. Connect again.")
        self._number += 1
        key = f"outbox/{self._number:012d}"
        self._client.storage.set(key, message)
        future = asyncio.get_running_loop().create_future()
        self._enter(key, message, future)
        self._flush(message["room"])
        return future

    def _enter(self, key, message, future):
        entry = {"key": key, "message": message, "future": future, "attempts": 0, "timer": None}
        self._queues.setdefault(message["room"], deque()).append(entry)

    def pending(self):
        entries = [entry for queue in self._queues.values() for entry in queue]
        return [entry["message"] for entry in sorted(entries, key=lambda entry: entry["key"])]

    def resume(self):
        for room, queue in list(self._queues.items()):
            queue[0]["timer"] = None
            self._flush(room)

    def _flush(self, room):
        entry = self._queues.get(room, (None,))[0]
        if not entry or entry["timer"] or not self._client._outgoing:
            return
        entry["attempts"] += 1
        body = {name: value for name, value in entry["message"].items() if name != "room"}
        self._client._send(f"/app/rooms.{room}.send", body, f"send-{body['clientId']}")
        self._again(entry, TIMEOUT_S)  # without an answer the same message is sent again

    def _again(self, entry, delay):
        if entry["timer"]:
            entry["timer"].cancel()

        def send():
            entry["timer"] = None
            self._flush(entry["message"]["room"])
        entry["timer"] = self._client._later(delay, send)

    def accept(self, event):
        entry = self._find(event["room"], event["clientId"])
        if entry:
            self._remove(entry)
            if entry["future"] and not entry["future"].done():
                entry["future"].set_result({name: event.get(name) for name in ("clientId", "position", "id")})

    def refuse(self, error):
        """Sends the message again later, or refuses it. Returns whether that settles the error."""
        room = error.get("destination", "").removeprefix("/app/rooms.").removesuffix(".send")
        entry = self._find(room, error.get("clientId") or error.get("receipt", "").removeprefix("send-"))
        if not entry:
            return False
        if error["code"] in TEMPORARY or (error["code"] == "internal" and entry["attempts"] < 5):
            self._again(entry, pause(entry["attempts"], error.get("retryAfter")))
            return True
        self._remove(entry)
        if entry["future"] and not entry["future"].done():
            entry["future"].set_exception(ParleyError(error["code"], error["message"]))
            return True
        return False

    def cancel(self, room, client_id):
        entry = self._find(room, client_id)
        if entry:
            self._remove(entry)

    def fail(self, error):
        """Leaves the messages in the storage, for the next client."""
        for queue in self._queues.values():
            for entry in queue:
                if entry["future"] and not entry["future"].done():
                    entry["future"].set_exception(error)

    def _find(self, room, client_id):
        return next((entry for entry in self._queues.get(room, ()) if entry["message"]["clientId"] == client_id), None)

    def _remove(self, entry):
        room = entry["message"]["room"]
        self._queues[room].remove(entry)
        self._client.storage.remove(entry["key"])
        if entry["timer"]:
            entry["timer"].cancel()
        if not self._queues[room]:
            del self._queues[room]
        self._flush(room)


class Room:
    """A room. Made by `Client.room`."""

    def __init__(self, client, room):
        self.id = room
        self.position = None
        self._begun = None  # the position after which the subscription begins
        self._client, self._path = client, f"/api/rooms/{room}"
        self._inbox, self._arrived = deque(), asyncio.Event()
        self._loop, self._subscription, self._error = None, None, None
        self._seen = OrderedDict()

    async def events(self, after=None):
        """Follows the room: each event once, in order, without gaps, over reconnects.

        Begins after the saved position, or else after `after`, or else with what comes next. An event is handled when the next one
        is asked for; then its position is saved. After a crash the event that was not handled comes again. Raises ParleyError if the
        room is refused, or the client ends for another reason than `close()`. A new loop ends the one before.
        """
        loop = self._loop = object()
        saved = self._client.storage.get(f"position/{self.id}")
        self.position = self._begun = saved if saved is not None else after
        self._error = None
        if self._client.state == "closed":
            raise ParleyError("closed", "The client is closed. Connect again.")
        self._resume()
        try:
            async for event in self._ordered(loop):
                self.position = event["position"]
                if event.get("clientId") and event["sender"] == self._client.username:
                    self._client._outbox.accept(event)
                if not self._is_repeated(event):
                    yield event
                if self._loop is loop:
                    self._client.storage.set(f"position/{self.id}", self.position)
        finally:
            if self._loop is loop:
                self._loop = None
                self._unsubscribe()

    async def _ordered(self, loop):
        while self._loop is loop:
            while not self._inbox and self._loop is loop:
                if self._error:
                    if self._error.code != "closed":
                        raise self._error
                    return
                self._arrived.clear()
                await self._arrived.wait()
            if self._loop is not loop:
                return
            event = self._inbox.popleft()
            kind, target = event["type"], None
            if kind == "subscribed":
                # Not the present position: pages that were fetched meanwhile may have gone beyond the head.
                if not event["recovered"] and (self._begun or 0) > event["head"]:
                    self.position = None  # a position of another log: nothing can follow it
                if self.position is None:
                    self.position = event["head"]
                elif not event["recovered"]:
                    target = event["head"]
            elif kind == "gap":
                target = event["head"]
            elif event["prev"] > (self.position if self.position is not None else event["prev"]):
                target = event["prev"]
            if target is not None:
                async for missed in self._missed(target):
                    yield missed
                if self._error and self.position < target:
                    continue  # nothing may follow: its position would be saved beyond the gap
            if event.get("position", 0) > (self.position if self.position is not None else -1):
                yield event

    async def _missed(self, target):
        """Fetches what is missing up to a position; a page may be incomplete for a moment, or for ever where nothing can be read."""
        failures = incomplete = 0
        while self.position < target and incomplete < 6 and not self._error:
            try:
                page = await self.history(after=self.position, limit=PAGE)
            except ParleyError as refusal:
                if not refusal.temporary:
                    raise
                failures += 1
                await asyncio.sleep(pause(failures, refusal.retry_after))
                continue
            before = self.position
            for event in sorted(page["events"], key=lambda event: event["position"]):
                if event["position"] > self.position:
                    yield event
            if self.position == before:
                await asyncio.sleep(0.15 * 2 ** incomplete)
                incomplete += 1

    def _resume(self):
        """Subscribes on a new connection, after the last position."""
        self._arrived.set()
        self._inbox.clear()
        if self._loop and self._client._outgoing:
            self._unsubscribe()
            self._client._subscribe(f"/topic/rooms.{self.id}", self._after, self)

    def _unsubscribe(self):
        if self._subscription:
            self._client._write(_frame("UNSUBSCRIBE", {"id": self._subscription}))
            self._subscription = None

    def _is_current(self, subscription):
        return self._subscription == subscription

    def _after(self):
        self._subscription = f"sub-{self._client._count}"
        self._begun = self.position
        return {} if self.position is None else {"after": str(self.position)}

    def _take(self, event):
        if not self._loop:
            return
        self._inbox.append(event)
        if len(self._inbox) > MOST_WAITING:
            # The last event and the subscription tell what must be fetched.
            kept = [one for one in self._inbox if one["type"] == "subscribed"][-1:]
            self._inbox = deque(kept if kept == [event] else [*kept, event])
        self._arrived.set()

    def _fail(self, error):
        self._error = error
        self._arrived.set()

    def _is_repeated(self, event):
        """A message that was sent again, to a server that had forgotten it, is delivered twice and stored once."""
        if event["type"] not in ("message.posted", "thread.posted") or not event.get("clientId"):
            return False
        key = (event["sender"], event["clientId"])
        # The same position comes again after a loop that has ended before it was handled.
        first = self._seen.setdefault(key, event["position"])
        self._seen.move_to_end(key)
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return first != event["position"]

    async def send(self, text, client_id=None, **fields):
        """Sends a message, after those of earlier calls, and again until it is accepted: returns clientId, position and id.

        Raises ParleyError if the server refuses it. If the call is cancelled, the attempts end; a message that is under way then may
        be accepted nevertheless. `replyTo`, `thread`, `mentions` and fields of the application are further arguments.
        """
        if not isinstance(text, str) or not text:
            raise ValueError("send() needs a text that is not empty.")
        client_id = client_id or str(uuid.uuid4())
        try:
            return await self._client._outbox.send({"room": self.id, "clientId": client_id, "text": text, **fields})
        except asyncio.CancelledError:
            self._client._outbox.cancel(self.id, client_id)
            raise

    async def reply(self, root, text, **options):
        """Sends a reply in the thread of a message."""
        return await self.send(text, thread=root, **options)

    async def edit(self, position, text, **fields):
        body = {"clientId": str(uuid.uuid4()), "text": text, **fields}
        return await self._client.request("PATCH", f"{self._path}/messages/{position}", body)

    async def delete(self, position, reason=None):
        return await self._client.request("DELETE", f"{self._path}/messages/{position}", {"reason": reason} if reason else None)

    async def react(self, position, key, on=True):
        path = f"{self._path}/messages/{position}/reactions/{urllib.parse.quote(key, safe='')}"
        return await self._client.request("PUT" if on else "DELETE", path)

    async def read(self, position):
        """Moves the read marker forward."""
        return await self._client.request("PUT", f"{self._path}/read", {"position": position})

    async def history(self, **page):
        """Returns a page of events, ascending, by `before`, `after` and `limit`: `{"events", "head"}`."""
        return await self._client.request("GET", f"{self._path}/messages?{urllib.parse.urlencode(page)}")


def _lifetime(token):
    """The lifetime of a JWT in seconds, by this computer's clock unless that contradicts the token."""
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    left, whole = claims["exp"] - time.time(), claims["exp"] - claims["iat"]
    return left if 0 < left <= whole else whole


_ESCAPES = {"\\": "\\\\", "\r": "\\r", "\n": "\\n", ":": "\\c"}
_UNESCAPES = {escaped: plain for plain, escaped in _ESCAPES.items()}


def _frame(command, headers, body=""):
    escaped = (lambda text: text) if command == "CONNECT" else (lambda text: re.sub(r"[\\\r\n:]", lambda match: _ESCAPES[match[0]], text))
    return "\n".join([command, *(f"{escaped(name)}:{escaped(value)}" for name, value in headers.items()), "", body]) + "\0"


def _parse(data):
    """Returns command, headers and body of a frame, or None for a heart-beat."""
    text = data if isinstance(data, str) else data.decode()
    if not text.strip("\r\n"):
        return None
    head, _, body = text.lstrip("\r\n").partition("\n\n")
    command, *lines = head.split("\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        unescaped = re.sub(r"\\[\\rnc]", lambda match: _UNESCAPES[match[0]], value)
        headers.setdefault(name, value if command == "CONNECTED" else unescaped)
    return command, headers, body.rstrip("\0")
