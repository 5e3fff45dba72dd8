"""Prints a room and posts each line of the input. Survives kills of the server.

    pip install websockets
    python example.py http://localhost:8080 bob demo Lobby
"""

import asyncio
import sys

from parley import Client, ParleyError, sign_in


async def main(url, username, password, name="Lobby"):
    account = await sign_in(url, username, password)
    async with Client(url, account.token, on_state=lambda *state: print(*state, file=sys.stderr)) as client:
        room = client.room(next(room["id"] for room in await client.request("GET", "/api/rooms") if room["name"] == name))

        async def show():
            async for event in room.events():
                if event["type"] == "message.posted":
                    print(f"{event['sender']}: {event['text']}", flush=True)
                    await room.read(event["position"])

        showing = asyncio.create_task(show())
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            try:
                await room.send(line)
            except ParleyError as refusal:
                print(refusal.code, refusal, file=sys.stderr)
        showing.cancel()
    await account.sign_out()


asyncio.run(main(*sys.argv[1:]))
