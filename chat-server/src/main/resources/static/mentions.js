import { element } from "./dom.js";
import { moderates } from "./room-roles.js";

/** `@` and a name, not inside a word. */
const NAME = /(?<![\w@.-])@([A-Za-z0-9._-]{1,64})/g;
const GROUPS = ["moderators", "owners"];

/** Returns the names that a user may mention in a room besides members: the room and its groups. */
export function wholes(room) {
	return room.kind === "direct" ? [] : [...(moderates(room.role) ? ["room"] : []), ...GROUPS];
}

/**
 * Returns whom a text mentions, as the server wants it: `{users, groups?, room?}`. Returns undefined if it mentions
 * nobody, or if that is not known, because only some of the members are loaded.
 */
export function mentionsIn(text, room) {
	const names = [...text.matchAll(NAME)].map(([, name]) => [name, name.replace(/[._-]+$/, "")]);
	const known = new Set();
	for (const [name, bare] of names) {
		const found = [name, bare].find((each) => room.members.has(each) || wholes(room).includes(each));
		if (!found && !(room.members.size >= room.memberCount)) {
			return undefined;
		}
		found && known.add(found);
	}
	if (names.length === 0) {
		return undefined;
	}
	const users = [...known].filter((name) => room.members.has(name));
	const others = [...known].filter((name) => !room.members.has(name));
	const groups = others.filter((name) => name !== "room");
	return { users, ...(groups.length > 0 && { groups }), ...(others.includes("room") && { room: true }) };
}

/** Returns the mentions of an edited text: also that there are none any more. */
export function editedMentions(text, room, before) {
	return mentionsIn(text, room) ?? (before && !text.includes("@") ? { users: [] } : undefined);
}

/** Whether a message of somebody else mentions a user. */
export function mentionsUser({ sender, deleted, mentions }, user) {
	return Boolean(mentions) && !deleted && sender !== user && (mentions.room || mentions.users.includes(user));
}

/** Returns a text in which mentions are marked, as nodes and strings. */
export function marked(text, mentions, me) {
	if (!mentions) {
		return [text];
	}
	const names = new Set([...mentions.users, ...(mentions.groups ?? []), ...(mentions.room ? ["room"] : [])]);
	const parts = [];
	let end = 0;
	for (const { 0: whole, 1: name, index } of text.matchAll(NAME)) {
		const found = [name, name.replace(/[._-]+$/, "")].find((each) => names.has(each));
		if (found) {
			const mine = found === me || !mentions.users.includes(found);
			parts.push(text.slice(end, index), element("mark", {
				class: mine ? "mention to-me" : "mention", "data-testid": "mention",
			}, `@${found}`));
			end = index + whole.length - (name.length - found.length);
		}
	}
	return [...parts, text.slice(end)];
}
