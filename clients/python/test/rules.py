"""What the test with a killed server does not reach, without a server. Prints OK.

    python rules.py
"""

import asyncio

import parley
from parley import Client, ParleyError


def posted(position, prev=None):
    return {"type": "message.posted", "position": position, "prev": position - 1 if prev is None else prev}


async def follow(events, pages, after=0, ends=False):
    """Returns the positions that a loop sees of what arrives before it reads."""
    client = Client("http://127.0.0.1:1", lambda refused: None)
    room = client.room("a")

    async def history(after, limit):
        page = pages(after)
        if isinstance(page, ParleyError):
            if ends:
                await client.close()
            raise page
        return {"events": page}

    room.history = history
    loop = room.events(after)
    reading = asyncio.ensure_future(anext(loop, None))
    await asyncio.sleep(0)
    for event in events:
        room._take(event)
    if not ends:
        room._take({"type": "last", "position": 2**60, "prev": 0})
    seen = []
    while (event := await reading) and event["type"] != "last":
        seen.append(event["position"])
        reading = asyncio.ensure_future(anext(loop, None))
    return seen, client.storage.get("position/a")


async def nothing_follows_a_gap_that_was_not_closed():
    events = [posted(9), posted(10)]
    assert await follow(events, lambda after: ParleyError("unreachable", "", 0), after=1, ends=True) == ([], None)


async def a_page_may_have_any_order():
    pages = {2: [posted(4), posted(3)], 4: [posted(4), posted(6), posted(5), posted(5)]}
    seen, _ = await follow([posted(7)], lambda after: pages[after], after=2)
    assert seen == [3, 4, 5, 6, 7], seen


async def a_slow_reader_learns_of_another_log():
    many = parley.MOST_WAITING + 5
    events = [{"type": "subscribed", "head": 2, "recovered": False}, *map(posted, range(3, many))]
    seen, _ = await follow(events, lambda after: [posted(i) for i in range(after + 1, min(after + 101, many))], after=2**50)
    assert seen == list(range(3, many)), seen[:5]


async def a_page_may_go_beyond_the_head_of_the_next_subscription():
    events = [{"type": "gap", "head": 3}, {"type": "subscribed", "head": 5, "recovered": False}, posted(6), posted(10)]
    seen, _ = await follow(events, lambda after: [posted(i) for i in range(1, 10)])
    assert seen == list(range(1, 11)), seen


async def rooms_may_use_the_same_client_id():
    client = Client("http://127.0.0.1:1", lambda refused: None)
    first, second = (asyncio.ensure_future(client.room(room).send("text", client_id="1")) for room in "ab")
    await asyncio.sleep(0)
    client._received("/user/queue/events", {"type": "accepted", "room": "b", "clientId": "1", "position": 1, "id": "x"})
    await asyncio.sleep(0)
    assert not first.done() and second.done()
    error = {"type": "error", "code": "muted", "message": "", "clientId": "1", "destination": "/app/rooms.c.send"}
    client._received("/user/queue/events", error)
    await asyncio.sleep(0)
    assert not first.done()
    client._received("/user/queue/events", {**error, "destination": "/app/rooms.a.send"})
    await asyncio.gather(first, return_exceptions=True)
    assert first.exception().code == "muted" and not client.pending()


async def main():
    for rule in (nothing_follows_a_gap_that_was_not_closed, a_page_may_have_any_order, a_slow_reader_learns_of_another_log,
                 a_page_may_go_beyond_the_head_of_the_next_subscription, rooms_may_use_the_same_client_id):
        await rule()
        print(rule.__name__)


asyncio.run(main())
print("OK")
