"""Checks from outside what is promised about changed messages: edits, deletions, reactions, threads, mentions.

    ./chat run -- --chat.limits.sends-per-second=0 --chat.limits.rooms-per-minute=0
    python3 -m venv /tmp/checks && /tmp/checks/bin/pip install -r system-tests/src/test/python/requirements.txt
    /tmp/checks/bin/python scripts/conversation-checks.py http://127.0.0.1:8080

Uses stomp.py over WebSocket and HTTP as any client does, with users that it registers. Further addresses are those of other
servers of the same system: writers take turns on all of them. With --kill COMMAND it also runs a command that kills the first
server, which somebody else must start again within two minutes. --short-window says that the servers run with
chat.messages.edit-window=5s. Prints a line for each check; the exit code is 1 if one failed.
"""
import argparse
import concurrent.futures
import itertools
import json
import random
import string
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request

import stomp

TIMEOUT = 60
PASSWORD = "conversation-checks"
CHECKS = []


def check(number, promise):
    def add(function):
        CHECKS.append((number, promise, function))
        return function
    return add


class Problem(Exception):
    """An answer other than the expected one."""


class Follower(stomp.ConnectionListener):
    """What one connection receives."""

    def __init__(self):
        self.changed = threading.Condition()
        self.events, self.mine, self.receipts, self.errors = [], [], set(), []
        self.subscribed = None

    def on_receipt(self, frame):
        self.note(lambda: self.receipts.add(frame.headers["receipt-id"]))

    def on_error(self, frame):
        self.note(lambda: self.errors.append(frame.headers.get("message")))

    def on_message(self, frame):
        event = json.loads(frame.body)
        if frame.headers["subscription"] == "me":
            self.note(lambda: self.mine.append(event))
        elif event["type"] == "subscribed":
            self.note(lambda: setattr(self, "subscribed", event))
        else:
            self.note(lambda: self.events.append(event))

    def note(self, change):
        with self.changed:
            change()
            self.changed.notify_all()

    def wait(self, what, condition):
        with self.changed:
            if not self.changed.wait_for(condition, TIMEOUT):
                raise Problem(f"timed out after {TIMEOUT} s waiting for {what}")


class User:
    """A user and a server."""

    def __init__(self, name, url):
        self.name, self.url = name, url
        answer = self.call("POST", "/api/auth/login", {"username": name, "password": PASSWORD})
        self.token = answer["accessToken"]

    def on(self, url):
        other = object.__new__(User)
        other.name, other.url, other.token = self.name, url, self.token
        return other

    def answer(self, method, path, body=None):
        """Returns the status and the body. Waits as long as a rate limit says."""
        data = None if body is None else json.dumps(body).encode()
        for _ in range(100):
            request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
            if hasattr(self, "token"):
                request.add_header("Authorization", "Bearer " + self.token)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                    text = response.read()
                    return response.status, json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                text = error.read()
                if error.code not in (429, 503):
                    return error.code, json.loads(text) if text else {}
                time.sleep(float(error.headers.get("Retry-After", "1")))
        raise Problem(f"{method} {path} is limited without end")

    def call(self, method, path, body=None):
        status, answer = self.answer(method, path, body)
        if status >= 300:
            raise Problem(f"{method} {path}: {status} {answer}")
        return answer

    def refused(self, method, path, body, *codes):
        status, answer = self.answer(method, path, body)
        expect(status >= 400 and answer.get("code") in codes, f"{method} {path}: {status} {answer}, expected {codes}")

    def post(self, room, text, client_id=None, **fields):
        body = {"clientId": client_id or fresh("c"), "text": text, **fields}
        return self.call("POST", f"/api/rooms/{room}/messages", body)["position"]

    def reply(self, room, root, text, **fields):
        return self.call("POST", f"/api/rooms/{room}/threads/{root}/messages",
                         {"clientId": fresh("c"), "text": text, **fields})["position"]

    def edit(self, room, position, text, client_id=None, **fields):
        return self.call("PATCH", f"/api/rooms/{room}/messages/{position}",
                         {"clientId": client_id or fresh("e"), "text": text, **fields})

    def delete(self, room, position):
        return self.call("DELETE", f"/api/rooms/{room}/messages/{position}", {"clientId": fresh("d")})

    def react(self, room, position, key, on=True):
        return self.answer("PUT" if on else "DELETE",
                           f"/api/rooms/{room}/messages/{position}/reactions/{urllib.parse.quote(key)}")

    def feed(self, room):
        events, after = [], 0
        while True:
            page = self.call("GET", f"/api/rooms/{room}/messages?after={after}&limit=200")
            if not page["events"]:
                return events
            events += page["events"]
            after = events[-1]["position"]

    def view(self, room):
        messages, after = [], 0
        while True:
            page = self.call("GET", f"/api/rooms/{room}/messages?view=messages&after={after}&limit=200")["messages"]
            if not page:
                return {message["position"]: message for message in messages}
            messages += page
            after = page[-1]["position"]

    def changed_after(self, room, position):
        messages = []
        while True:
            page = self.call("GET", f"/api/rooms/{room}/messages?view=messages&changedAfter={position}&limit=200")["messages"]
            if not page:
                return messages
            messages += page
            position = page[-1]["changed"]

    def room(self, room):
        return next(each for each in self.call("GET", "/api/rooms") if each["id"] == room)

    def connect(self, room=None, after=None):
        follower = Follower()
        address = urllib.parse.urlsplit(self.url)
        connection = stomp.WSConnection(
            [(address.hostname, address.port or 80)], ws_path="/ws", vhost=address.hostname,
            header={"Sec-WebSocket-Protocol": "v12.stomp"}, reconnect_attempts_max=1)
        connection.set_listener("follower", follower)
        connection.connect(wait=True, headers={"Authorization": "Bearer " + self.token})
        connection.subscribe("/user/queue/events", id="me", headers={"receipt": "me"})
        follower.wait("the subscription of user events", lambda: "me" in follower.receipts)
        if room:
            headers = {"receipt": "room"} if after is None else {"receipt": "room", "after": str(after)}
            connection.subscribe(f"/topic/rooms.{room}", id="room", headers=headers)
            follower.wait("the subscription of the room", lambda: "room" in follower.receipts)
        follower.connection = connection
        return follower


def fresh(prefix):
    return prefix + "".join(random.choices(string.ascii_lowercase + string.digits, k=12))


def expect(condition, text):
    if not condition:
        raise Problem(text)


def eventually(what, condition):
    end = time.monotonic() + TIMEOUT
    while not condition():
        expect(time.monotonic() < end, f"timed out after {TIMEOUT} s waiting for {what}")
        time.sleep(0.1)


def fold(events, state=None):
    """Applies the rule of clients: a change counts if its position is above what is known of the message."""
    state = {} if state is None else state
    for event in events:
        kind = event["type"]
        if kind in ("message.posted", "thread.posted"):
            known = state.setdefault(event["position"], {"text": event["text"], "deleted": False, "edited": 0, "counts": {}, "reacted": 0})
            if event.get("deleted"):
                known.update(text="", deleted=True, counts={})
        target = state.get(event.get("target"))
        if target is None or event.get("superseded") or target["deleted"]:
            continue
        if kind == "message.edited" and event["position"] > target["edited"]:
            target.update(text=event["text"], edited=event["position"])
        elif kind == "message.deleted":
            target.update(text="", deleted=True, counts={})
        elif kind == "reaction.changed" and event["position"] > target["reacted"]:
            target.update(counts={key: n for key, n in event["counts"].items() if n}, reacted=event["position"])
    return state


def folded(state):
    return {position: (known["text"], known["deleted"], known["counts"]) for position, known in state.items()}


def viewed(view):
    return {position: (message["text"], message.get("deleted", False),
                       {key: each["n"] for key, each in message.get("reactions", {}).items()})
            for position, message in view.items()}


def chained(events, after):
    for event in events:
        expect(event["prev"] <= after, f"a gap before {event['position']}: prev {event['prev']}, the last one was {after}")
        after = event["position"]


class World:
    def __init__(self, urls, options):
        self.urls, self.options = urls, options
        self.turns = itertools.cycle(urls)
        self.users = {}

    def user(self, name):
        if name not in self.users:
            account = name + fresh("-")
            plain = object.__new__(User)
            plain.url = self.urls[0]
            plain.call("POST", "/api/auth/register", {"username": account, "password": PASSWORD})
            self.users[name] = User(account, self.urls[0])
        return self.users[name].on(next(self.turns))

    def open(self, *names):
        owner, *others = [self.user(name) for name in names]
        body = {"name": "Checks", "kind": "group", "members": [other.name for other in others]}
        return owner.call("POST", "/api/rooms", body)["id"]


@check(1, "an edit that is sent twice is one edit")
def edit_twice(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    live = bert.connect(room)
    position = anna.post(room, "first")
    answers = [anna.on(url).edit(room, position, "second", "same")["position"] for url in 2 * world.urls]
    expect(len(set(answers)) == 1, f"positions {answers}")
    anna.post(room, "last")
    live.wait("the last message", lambda: any(event.get("text") == "last" for event in live.events))
    for events in (live.events, anna.feed(room)):
        expect(len([event for event in events if event["type"] == "message.edited"]) == 1, "more than one message.edited")


@check(2, "of edits at once the higher position wins everywhere")
def crossing_edits(world):
    room, anna = world.open("anna", "bert"), world.user("anna")
    followers = [world.user("bert").on(url).connect(room) for url in world.urls]
    position = anna.post(room, "first")
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        edits = [threads.submit(anna.on(world.urls[i % len(world.urls)]).edit, room, position, f"text {i}") for i in range(16)]
        last = max((edit.result()["position"], f"text {i}") for i, edit in enumerate(edits))
    expected = (last[1], False, {})
    expect(viewed(anna.view(room))[position] == expected, f"the view is not {expected}")
    expect(folded(fold(anna.feed(room)))[position] == expected, "the feed has another end")
    for follower in followers:
        follower.wait("the last edit", lambda: any(event["position"] == last[0] for event in follower.events))
        expect(folded(fold(follower.events))[position] == expected, "a connection has another end")


@check(3, "a deletion is final, whatever crosses it")
def crossing_delete(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    follower = bert.connect(room)
    positions = [anna.post(room, f"text {i}") for i in range(10)]
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        for i, position in enumerate(positions):
            one, other = world.urls[0], world.urls[-1]
            threads.submit(anna.on(one).answer, "PATCH", f"/api/rooms/{room}/messages/{position}", {"clientId": fresh("e"), "text": "edited"})
            threads.submit(anna.on(other).delete, room, position)
    gone = {position: ("", True, {}) for position in positions}
    expect(viewed(anna.view(room)) == gone, "the view shows a deleted message")
    expect(folded(fold(anna.feed(room))) == gone, "the feed shows a deleted message")
    follower.wait("the deletions", lambda: len([e for e in follower.events if e["type"] == "message.deleted"]) >= 10)
    expect(folded(fold(follower.events)) == gone, "a connection shows a deleted message")


@check(4, "changes of others, too late, or of deleted messages are refused and leave nothing")
def refusals(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    position = anna.post(room, "text")
    path = f"/api/rooms/{room}/messages/{position}"
    bert.refused("PATCH", path, {"clientId": "e", "text": "other"}, "not-allowed")
    bert.refused("DELETE", path, {"clientId": "d"}, "not-allowed")
    if world.options.short_window:
        time.sleep(6)
        anna.refused("PATCH", path, {"clientId": "e", "text": "late"}, "too-late")
    anna.delete(room, position)
    status, answer = bert.react(room, position, "👍")
    expect(answer.get("code") == "message-deleted", f"{status} {answer}")
    anna.refused("PATCH", path, {"clientId": "e2", "text": "other"}, "message-deleted")
    expect([event["type"] for event in anna.feed(room)][-2:] == ["message.posted", "message.deleted"], "a refused change is in the feed")


@check(5, "a replay after 50 changes ends like the view")
def replayed_changes(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    first = bert.connect(room)
    positions = [anna.post(room, f"text {i}") for i in range(20)]
    first.wait("the messages", lambda: len(first.events) >= 20)
    first.connection.transport.disconnect_socket()
    state = fold(first.events)
    last = max(event["position"] for event in first.events)
    for i in range(50):
        position = random.choice(positions)
        if i % 10 == 9:
            positions.remove(position)
            anna.delete(room, position)
        else:
            anna.edit(room, position, f"edit {i}")
    again = bert.connect(room, last)
    expect(again.subscribed["recovered"], "not recovered")
    again.wait("the changes", lambda: len(again.events) >= 50)
    chained(again.events, last)
    expect(folded(fold(again.events, state)) == viewed(bert.view(room)), "the replay has another end than the view")


@check(6, "after more than a replay, changedAfter gives each changed message once")
def long_absence(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    positions = [anna.post(room, f"text {i}") for i in range(500)]
    first = bert.connect(room)
    first.connection.transport.disconnect_socket()
    last = first.subscribed["head"]
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda i: anna.post(room, f"later {i}"), range(4500)))
        list(threads.map(lambda position: anna.edit(room, position, f"edit of {position}"), positions))
    again = bert.connect(room, last)
    expect(again.subscribed["recovered"] is False, "recovered")
    changed = bert.changed_after(room, last)
    old = [message["position"] for message in changed if message["position"] <= last]
    expect(sorted(old) == sorted(positions), f"{len(old)} messages instead of 500, {len(set(old))} different ones")
    view = viewed(bert.view(room))
    expect(len(view) == 5000, f"{len(view)} messages in the view")
    expect(viewed({message["position"]: message for message in changed}).items() <= view.items(), "changedAfter has another end than the view")
    expect(all(view[position][0] == f"edit of {position}" for position in positions), "an edit is missing")


@check(7, "deleted text is nowhere")
def deleted_text(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    secret = fresh("secret-")
    position = anna.post(room, secret)
    anna.edit(room, position, secret + " edited")
    root = anna.post(room, "root")
    reply = anna.reply(room, root, secret)
    anna.delete(room, position)
    anna.delete(room, reply)
    replay = bert.connect(room, 0)
    last = anna.post(room, "last")
    replay.wait("the last message", lambda: any(event["position"] == last for event in replay.events))
    chained(replay.events, 0)
    places = {"replay": replay.events, "feed": anna.feed(room), "view": list(anna.view(room).values()),
              "thread": anna.call("GET", f"/api/rooms/{room}/threads/{root}/messages"), "rooms": bert.call("GET", "/api/rooms"),
              "changedAfter": bert.changed_after(room, 0)}
    for place, content in places.items():
        expect(secret not in json.dumps(content), f"the text is in the {place}")
    chained(anna.feed(room), 0)


@check(8, "a rush of reactions is one event a second and server, and ends exact")
def rush(world):
    members = [f"member-{i}" for i in range(30)]
    room = world.open("anna", *members)
    position = world.user("anna").post(room, "react to this")
    live = world.user("anna").connect(room)
    users = [world.user(member) for member in members]
    wanted = {}
    end = time.monotonic() + 10

    def toggle(user):
        on = False
        while time.monotonic() < end:
            on = not on
            status, answer = user.react(room, position, "👍", on)
            expect(status == 202, f"{status} {answer}")
        wanted[user.name] = on

    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(users)) as threads:
        list(threads.map(toggle, users))
    seconds = time.monotonic() - start
    time.sleep(2.5)
    expected = sum(wanted.values())
    view = viewed(world.user("anna").view(room))[position][2]
    expect(view.get("👍", 0) == expected, f"the view has {view}, expected {expected}")
    changes = [event for event in live.events if event["type"] == "reaction.changed"]
    expect(changes[-1]["counts"].get("👍", 0) == expected, f"the last event has {changes[-1]['counts']}, expected {expected}")
    most = len(world.urls) * (seconds + 3) + 2
    expect(len(changes) <= most, f"{len(changes)} events in {seconds:.0f} s")
    return f"{len(changes)} events in {seconds:.0f} s"


@check(9, "a reaction with a RECEIPT survives kill -9")
def killed(world):
    if not world.options.kill:
        return "left out: needs --kill"
    room, anna = world.open("anna", "bert"), world.user("anna").on(world.urls[0])
    position = anna.post(room, "react to this")
    live = anna.connect(room)
    live.connection.send(f"/app/rooms.{room}.react", json.dumps({"target": position, "key": "👍", "on": True}),
                         content_type="application/json", headers={"receipt": "r"})
    live.wait("the RECEIPT", lambda: "r" in live.receipts)
    subprocess.run(world.options.kill, shell=True, check=True)

    def answers():
        try:
            return anna.answer("GET", "/api/rooms")[0] == 200
        except OSError:
            return False
    end = time.monotonic() + 120
    while not answers():
        expect(time.monotonic() < end, "the server did not come back")
        time.sleep(0.5)
    expect(viewed(anna.view(room))[position][2] == {"👍": 1}, "the reaction is lost")


@check(10, "a message has 20 different reactions; a second one of a user changes nothing")
def reaction_limits(world):
    room = world.open("anna", "bert", "carl")
    position = world.user("anna").post(room, "text")
    for i in range(20):
        status, answer = world.user(("anna", "bert")[i % 2]).react(room, position, f":key{i}:")
        expect(status == 202, f"{status} {answer}")
    status, answer = world.user("carl").react(room, position, ":one-more:")
    expect(answer.get("code") == "too-many-reactions", f"{status} {answer}")
    before = len(world.user("anna").feed(room))
    status, answer = world.user("anna").react(room, position, ":key0:")
    expect(status == 202, f"{status} {answer}")
    time.sleep(2.5)
    expect(len(world.user("anna").feed(room)) == before, "a reaction without effect made an event")


@check(11, "unread falls by deleted messages and by nothing else")
def unread(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    positions = [anna.post(room, f"text {i}") for i in range(10)]
    eventually("10 unread messages", lambda: bert.room(room)["unread"] == 10)
    for position in positions[:3]:
        anna.delete(room, position)
    for i in range(5):
        anna.react(room, positions[5], f":key{i}:")
    for position in positions[6:8]:
        anna.edit(room, position, "edited")
    for i in range(4):
        anna.reply(room, positions[9], f"reply {i}")
    eventually("7 unread messages", lambda: bert.room(room)["unread"] == 7)
    time.sleep(2)
    expect(bert.room(room)["unread"] == 7, "unread has changed again")


@check(12, "threads are unread for their followers, and read on all devices")
def threads(world):
    room, anna, bert, carl = world.open("anna", "bert", "carl"), world.user("anna"), world.user("bert"), world.user("carl")
    root = anna.post(room, "root")
    before = carl.room(room)["unread"]
    device = anna.on(world.urls[-1]).connect()
    reply = bert.reply(room, root, "reply")
    thread = f"/api/rooms/{room}/threads/{root}"
    eventually("an unread reply", lambda: anna.call("GET", thread + "/messages")["unread"] == 1)
    expect(carl.call("GET", thread + "/messages")["unread"] == 0, "unread for a stranger")
    expect(carl.room(room)["unread"] == before, "unread in the room")
    anna.call("PUT", thread + "/read", {"position": reply})
    eventually("a read thread", lambda: anna.on(world.urls[-1]).call("GET", thread + "/messages")["unread"] == 0)
    device.wait("thread.changed", lambda: any(event["type"] == "thread.changed" and event["unread"] == 0 and event["read"] >= reply
                                              for event in device.mine))


@check(13, "a deleted root keeps its thread")
def deleted_root(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    root = anna.post(room, "root")
    replies = [bert.reply(room, root, f"reply {i}") for i in range(3)]
    anna.delete(room, root)
    bert.delete(room, replies[0])
    thread = anna.call("GET", f"/api/rooms/{room}/threads/{root}/messages")
    expect(thread["root"]["deleted"] and thread["root"]["text"] == "", f"the root is {thread['root']}")
    expect(thread["root"]["thread"]["replies"] == 2, f"the root is {thread['root']}")
    expect([message["position"] for message in thread["messages"] if not message.get("deleted")] == replies[1:], "replies are missing")


@check(14, "only members are mentioned, the whole room only with the right, and an edit tells the new ones")
def mentions(world):
    room, anna, bert, carl = world.open("anna", "bert", "carl"), world.user("anna"), world.user("bert"), world.user("carl")
    stranger = world.user("stranger")
    path = f"/api/rooms/{room}/messages"
    bert.refused("POST", path, {"clientId": "m1", "text": "x", "mentions": {"users": [stranger.name]}}, "not-found")
    bert.refused("POST", path, {"clientId": "m2", "text": "x", "mentions": {"room": True}}, "not-allowed")
    position = anna.post(room, "x", mentions={"users": [bert.name]})
    eventually("a mention of bert", lambda: bert.room(room)["mentions"] == 1)
    device, named = carl.connect(), bert.connect()
    anna.edit(room, position, "y", mentions={"users": [bert.name, carl.name]})
    eventually("a mention of carl", lambda: carl.room(room)["mentions"] == 1)
    device.wait("unread.changed", lambda: any(event["type"] == "unread.changed" and event["mentions"] == 1 for event in device.mine))
    expect(bert.room(room)["mentions"] == 1, "bert is mentioned twice")
    expect(len([m for m in carl.call("GET", "/api/me/mentions")["mentions"] if m["position"] == position]) == 1, "not in the list")


@check(15, "a client that knows message.posted only has no gap and no error")
def old_client(world):
    room, anna, bert = world.open("anna", "bert"), world.user("anna"), world.user("bert")
    old = bert.connect(room, 0)
    for i in range(10):
        position = anna.post(room, f"text {i}")
        anna.edit(room, position, "edited")
        anna.react(room, position, "👍")
        anna.reply(room, position, "reply")
        if i % 3 == 0:
            anna.delete(room, position)
    last = anna.post(room, "last")
    old.wait("the last message", lambda: any(event["position"] == last for event in old.events))
    chained(old.events, 0)
    expect(all(event.get("id") and event.get("sender") and event.get("sentAt") for event in old.events), "an event without common fields")
    expect(len([event for event in old.events if event["type"] == "message.posted"]) == 11, "messages are missing")
    expect(not old.errors and not [event for event in old.mine if event["type"] == "error"], f"errors {old.errors} {old.mine}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("url", nargs="+")
    options.add_argument("--kill", metavar="COMMAND")
    options.add_argument("--short-window", action="store_true")
    options.add_argument("--only", type=int, nargs="*")
    options = options.parse_args()
    world = World([url.rstrip("/") for url in options.url], options)
    failed = 0
    for number, promise, function in CHECKS:
        if options.only and number not in options.only:
            continue
        start = time.monotonic()
        try:
            more = function(world)
            print(f"{number:2}  ok      {time.monotonic() - start:6.1f} s  {promise}{'; ' + more if more else ''}", flush=True)
        except Problem as problem:
            failed += 1
            print(f"{number:2}  FAILED  {time.monotonic() - start:6.1f} s  {promise}: {problem}", flush=True)
        except Exception:
            failed += 1
            print(f"{number:2}  FAILED  {time.monotonic() - start:6.1f} s  {promise}", flush=True)
            traceback.print_exc()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
