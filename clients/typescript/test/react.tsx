/**
 * Renders the React example in jsdom against a server. Prints the lines of the room.
 *
 *     node react.js <url> <user> <password> <room>
 */
import { JSDOM } from "jsdom";
import { connect, signIn } from "parley-client";
import WebSocket from "ws";

const [url, username, password, id] = process.argv.slice(2) as [string, string, string, string];
const { window } = new JSDOM("<!doctype html><div id=root></div>");
for (const [name, value] of Object.entries({ window, document: window.document, navigator: window.navigator })) {
	Object.defineProperty(globalThis, name, { value, configurable: true });
}
const { createRoot } = await import("react-dom/client");
const { RoomView } = await import("./room.js");

const account = await signIn({ url, username, password });
const client = connect({ url, getToken: account.getToken, webSocketFactory: (at, protocols) => new WebSocket(at, protocols) });
const room = client.room(id, { after: "newest" });
const element = window.document.getElementById("root")!;
const root = createRoot(element);
root.render(<RoomView client={client} room={room} />);

async function until(what: string, condition: () => boolean) {
	for (const end = Date.now() + 30_000; !condition();) {
		if (Date.now() > end) {
			throw new Error(`Timed out waiting for ${what}: ${element.innerHTML}`);
		}
		await new Promise((resume) => setTimeout(resume, 20));
	}
}
const lines = () => [...element.querySelectorAll("li")].map((line) => line.textContent!.trim());

await until("online", () => element.querySelector("[data-testid=state]")?.textContent === "online");
const { position } = await room.send("Hello");
await room.send("Second");
await until("the messages", () => lines().length === 2);
const before = lines();
await room.edit(position!, "Hello!");
await room.react(position!, "👍");
await until("the changes", () => lines()[0]!.includes("(edited)") && lines()[0]!.includes("👍 1"));
const after = lines();
root.unmount();
const { position: unseen } = room;
await room.send("Nobody shows this");
console.log(JSON.stringify({ before, after, followsAfterUnmount: room.position !== unseen }));
process.exit(0);
