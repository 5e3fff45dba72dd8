"""Sends messages to a room and writes what it sends and receives to files for the judge of the load kit, while the server is
killed, and while it is killed itself: started again in the same folder, it continues. Prints READY after some messages, and at the
end what it sent.

    python talk.py <url> <user> <password> <room> <messages> <messages of all> <folder>

Environment: TALK_INTERVAL_MS between two messages (30), TALK_RECONNECT_MS as the longest wait for a connection (30000).
"""

import asyncio
import json
import os
import pathlib
import sys

import parley
from parley import Client, ParleyError, SqliteStorage, sign_in

MOST_PENDING = 100
INTERVAL_S = int(os.environ.get("TALK_INTERVAL_MS", 30)) / 1000
parley.CAP_S = int(os.environ.get("TALK_RECONNECT_MS", 30_000)) / 1000

url, username, password, room_id, messages, everything, folder = sys.argv[1:]
received, sent = pathlib.Path(folder, "received.jsonl"), pathlib.Path(folder, "sent.jsonl")
result = {"losses": 0, "refused": [], "errors": [], "accepted": 0, "positions": True}


def state(name, _):
    result["losses"] += name == "offline"


def event(change):
    if change["type"] == "error":
        result["errors"].append(change["code"])


def write(path, **line):
    with path.open("a") as log:
        log.write(json.dumps(line) + "\n")


def seen():
    lines = map(json.loads, received.read_text().splitlines()) if received.exists() else ()
    return {line["position"] for line in lines if "position" in line}


async def main():
    account = await sign_in(url, username, password)
    storage = SqliteStorage(pathlib.Path(folder, "storage.db"))
    client = Client(url, account.token, storage, on_state=state, on_event=event)
    result["left"] = len(client.pending())
    async with client:
        room = client.room(room_id)

        async def receive():
            positions = seen()
            write(received, started=True)
            async for posted in room.events(after=0):
                if posted["type"] == "message.posted":
                    write(received, **{name: posted[name] for name in ("position", "sender", "clientId", "text")})
                    positions.add(posted["position"])
                    if len(positions) >= int(everything) and not client.pending():
                        return

        async def send(number):
            client_id, text = f"{username}-{number}", f"{username} {number}"
            try:
                write(sent, sender=username, clientId=client_id, text=text)
                accepted = await room.send(text, client_id=client_id)
                write(sent, sender=username, clientId=client_id, accepted=True)
                result["accepted"] += 1
                if result["accepted"] == 5:
                    print("READY", flush=True)
                result["positions"] &= isinstance(accepted["position"], int)
            except ParleyError as refusal:
                result["refused"].append(refusal.code)

        receiving = asyncio.create_task(receive())
        sending = []
        result["first"] = storage.get("test/next") or 0
        for number in range(result["first"], int(messages)):
            sending.append(asyncio.create_task(send(number)))
            await asyncio.sleep(0)
            storage.set("test/next", number + 1)
            await asyncio.sleep(INTERVAL_S)
            while len(client.pending()) > MOST_PENDING:
                await asyncio.sleep(INTERVAL_S)
        await asyncio.gather(*sending)
        await receiving
        result["pending"] = len(client.pending())
    print(json.dumps(result))


asyncio.run(main())
