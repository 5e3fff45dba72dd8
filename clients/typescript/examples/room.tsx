import { useState } from "react";
import type { Client, Room } from "parley-client";
import { useClientState, useMessages } from "parley-client/react";

/** A room with its messages, and an input. */
export function RoomView({ client, room }: { client: Client; room: Room }) {
	const { name } = useClientState(client);
	const messages = useMessages(room);
	const [text, setText] = useState("");
	const send = (event: { preventDefault(): void }) => {
		event.preventDefault();
		void room.send(text);
		setText("");
	};
	return (
		<section>
			<p data-testid="state">{name}</p>
			<ol>
				{messages.map((message) => (
					<li key={message.position}>
						{message.sender}: {message.deleted ? <em>deleted</em> : message.text} {message.edited && "(edited)"}
						{message.reactions?.map(({ key, n }) => <span key={key}>{key} {n}</span>)}
					</li>
				))}
			</ol>
			<form onSubmit={send}>
				<input value={text} onChange={({ target }) => setText(target.value)} />
			</form>
		</section>
	);
}
