"""Sends messages to a room and writes what it receives to a file, while the server is killed, and while it is killed itself:
started again in the same folder, it continues. Prints READY after some messages, and at the end what it sent.

    python talk.py <url> <user> <password> <room> <messages> <messages of all> <folder>
"""

import asyncio
import json
import pathlib
import sys

from parley import Client, ParleyError, SqliteStorage, sign_in

url, username, password, room_id, messages, everything, folder = sys.argv[1:]
received = pathlib.Path(folder, "received.log")
result = {"losses": 0, "refused": [], "errors": [], "accepted": 0, "positions": True}


def state(name, _):
    result["losses"] += name == "offline"


def event(change):
    if change["type"] == "error":
        result["errors"].append(change["code"])


async def main():
    account = await sign_in(url, username, password)
    storage = SqliteStorage(pathlib.Path(folder, "storage.db"))
    client = Client(url, account.token, storage, on_state=state, on_event=event)
    result["left"] = len(client.pending())
    async with client:
        room = client.room(room_id)

        async def receive():
            async for posted in room.events(after=0):
                if posted["type"] == "message.posted":
                    with received.open("a") as log:
                        log.write(f"{posted['position']} {posted['text']}\n")
                    if len(set(received.read_text().splitlines())) >= int(everything) and not client.pending():
                        return

        async def send(number):
            try:
                accepted = await room.send(f"{username} {number}", client_id=f"{username}-{number}")
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
            await asyncio.sleep(0.03)
        await asyncio.gather(*sending)
        await receiving
        result["pending"] = len(client.pending())
    print(json.dumps(result))


asyncio.run(main())
