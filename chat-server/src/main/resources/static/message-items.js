import { element, icon } from "./dom.js";
import { mentionsUser } from "./mentions.js";
import { permitted } from "./message-dialog.js";
import { hasBlocks, richText } from "./rich-text.js";
import { clock, dayKey, dayName, duration, exact } from "./times.js";

const GROUP_MS = 5 * 60_000;
const TICKS = {
	pending: "M12 7v5l3 2M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17",
	sent: "M5 12.5l4.5 4.5L19 7.5",
	delivered: "M2 12.5l4.5 4.5L16 7.5M11.5 16l1 1L22 7.5",
	seen: "M2 12.5l4.5 4.5L16 7.5M11.5 16l1 1L22 7.5",
	failed: "M12 7v6M12 16.5v.1M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17",
};

/**
 * Returns the entries of a conversation as items for `reconcile`: those of the room, or with `thread` the root of a
 * thread and its `entries`.
 */
export function messageItems(room, store, actions, thread) {
	const me = store.chat.username;
	const outgoing = (message) => (message.position === undefined ? { ...message, sender: me, outgoing: message } : message);
	const entries = thread ? [...(thread.root ? [thread.root] : []), ...thread.entries.map(outgoing)]
		: [...room.events.map((event) => room.current(event)), ...room.waiting().map(outgoing)]
			.filter((entry) => entry.outgoing || describe(entry, me) !== null);
	const threads = thread ? new Map() : room.threads();
	const mayChange = (entry) => isMessage(entry) && entry !== thread?.root && mayDo(permitted(room, entry, store));
	const lastChangeable = entries.findLastIndex(mayChange);
	const lastOwn = entries.findLastIndex((entry) => isMessage(entry) && entry.sender === me);
	const divider = thread || room.dividerAfter === null ? -1 : entries.findIndex((entry) =>
		isMessage(entry) && entry.sender !== me && entry.position > room.dividerAfter);
	return entries.flatMap((entry, index) => [
		...day(entry, entries[index - 1]),
		...(index === divider ? [newMessages()] : []),
		isMessage(entry)
			? bubble(room, me, entry, {
				first: index === divider || !together(entries[index - 1], entry),
				last: index + 1 === divider || !together(entry, entries[index + 1]),
				lastOwn: index === lastOwn,
				actions: mayChange(entry),
				reacts: permitted(room, entry, store).react,
				lastChangeable: index === lastChangeable,
				replies: threads.get(entry.position) ?? 0,
				unread: threads.has(entry.position) ? store.threads.of(room.id, entry.position).unread : 0,
				quoted: quoted(room, entry),
			}, actions)
			: systemLine(entry, me),
	]);
}

const isMessage = (entry) => Boolean(entry.outgoing) || entry.type === "message.posted" || entry.type === "thread.posted";

const mayDo = ({ react, edit, remove, answer, thread, report, pin }) => react || edit || remove || answer || thread || report || pin;

/** Returns what is shown of the message that an entry answers: `{position, sender?, text}`, or undefined. */
function quoted(room, { replyTo: position, deleted }) {
	const message = position && !deleted && room.message(position);
	if (!message) {
		return position && !deleted ? { position, text: "An earlier message" } : undefined;
	}
	const current = room.current(message);
	return { position, sender: message.sender, text: current.deleted ? "Message deleted" : current.text.slice(0, 200) };
}

function together(one, other) {
	return Boolean(one && other) && isMessage(one) && isMessage(other) && one.sender === other.sender
		&& dayKey(one.sentAt) === dayKey(other.sentAt) && Date.parse(other.sentAt) - Date.parse(one.sentAt) < GROUP_MS;
}

function day(entry, before) {
	const key = dayKey(entry.sentAt);
	if (before && dayKey(before.sentAt) === key) {
		return [];
	}
	const name = dayName(entry.sentAt);
	return [{ key: `day ${key}`, signature: name, render: () => element("li", { class: "day" }, element("span", {}, name)) }];
}

function newMessages() {
	const render = () => element("li", { class: "divider", "data-testid": "new-divider" }, element("span", {}, "New messages"));
	return { key: "divider", signature: "", render };
}

/** Returns the text of an event other than a message, empty for a message, or null for an event that is not shown. */
function describe({ type, sender, member, role, name, kind, on, superseded, ...changed }, me) {
	const who = (user) => (user === me ? "You" : user);
	switch (type) {
		case "message.posted":
			return "";
		case "room.created":
			return kind === "direct" ? "This is the beginning of your conversation." : `${who(sender) ?? "Somebody"} created ${name}.`;
		case "member.joined":
			return !sender || sender === member ? `${who(member)} joined.` : `${who(sender)} added ${member === me ? "you" : member}.`;
		case "member.left":
			return !sender || sender === member ? `${who(member)} left.` : `${who(sender)} removed ${member === me ? "you" : member}.`;
		case "pin.changed":
			return on && !superseded ? `${who(sender)} pinned a message.` : null;
		case "room.changed":
			return roomChange(who(sender), { name, ...changed });
		case "member.role":
			return `${who(member)} ${member === me ? "are" : "is"} ${role} now.`;
		default:
			return null;
	}
}

/** Returns what somebody has changed of the room. */
function roomChange(who, { name, topic, slowMode, memberPins }) {
	return [
		name !== undefined && `${who} named the room ${name}.`,
		topic !== undefined && (topic ? `${who} set the topic: ${topic}` : `${who} removed the topic.`),
		slowMode !== undefined && (slowMode ? `${who} set slow mode: one message in ${duration(slowMode)}.` : `${who} switched slow mode off.`),
		memberPins !== undefined && (memberPins ? `${who} lets members pin messages.` : `${who} lets only moderators pin messages.`),
	].filter(Boolean).join(" ");
}

function systemLine(entry, me) {
	const sentence = describe(entry, me);
	const render = () => element("li", { class: "system", "data-testid": "system-line" }, sentence);
	return { key: `event ${entry.position}`, signature: sentence, render };
}

function bubble(room, me, entry, place, actions) {
	const own = entry.sender === me;
	const state = own ? ownState(room, entry) : { name: "received" };
	const withName = place.first && !own && room.kind !== "direct";
	const shown = [entry.text, entry.mentions, entry.edited, entry.deleted, entry.pinned, entry.reactions, state, place, withName];
	return {
		key: `message ${entry.sender} ${entry.clientId ?? entry.id}`,
		signature: JSON.stringify(shown),
		render: () => renderBubble(room, entry, own, state, place, withName, actions),
	};
}

function ownState(room, { outgoing, position, type }) {
	if (outgoing?.problem) {
		return { name: "failed", words: outgoing.problem };
	}
	if (outgoing && !outgoing.accepted) {
		return { name: "pending", words: "Sending…" };
	}
	// The markers of the room do not say who has read a thread.
	const inRoom = position !== undefined && type !== "thread.posted";
	const seen = inRoom ? room.seenBy(position) : [];
	const reached = inRoom ? room.deliveredTo(position) : [];
	if (seen.length > 0) {
		return { name: "seen", words: `Seen by ${names(seen, room)}` };
	}
	return reached.length > 0 ? { name: "delivered", words: `Delivered to ${names(reached, room)}` } : { name: "sent", words: "Sent" };
}

function names(members, room) {
	const all = members.length === room.members.size - 1 && members.length > 2;
	return all ? "everyone" : members.length > 4 ? `${members.length} people` : members.join(", ");
}

function renderBubble(room, entry, own, state, place, withName, actions) {
	const classes = ["message", own ? "own" : "", place.first ? "first" : "", place.last ? "last" : "",
		mentionsUser(entry, room.me) ? "mentions-me" : ""];
	const text = entry.deleted ? element("em", { class: "text", "data-testid": "message-deleted" }, "This message was deleted")
		: messageText(richText(entry.text, entry.mentions, room.me));
	const pinned = entry.pinned && element("span", { "data-testid": "message-pinned" }, "pinned");
	const edited = entry.edited && element("span", { "data-testid": "message-edited" }, "edited");
	const time = element("time", { datetime: entry.sentAt, title: exact(entry.sentAt) }, clock(entry.sentAt));
	const speaker = element("span", { class: "hidden" }, own ? "You: " : `${entry.sender}: `);
	return element("li", {
		class: classes.join(" "), "data-testid": "message", "data-sender": entry.sender, "data-state": state.name,
		"data-position": entry.position,
	},
	withName && element("span", { class: "sender", "aria-hidden": "true" }, entry.sender),
	element("div", { class: "bubble" },
		speaker,
		place.quoted && quote(place.quoted, actions),
		text,
		element("span", { class: "meta" }, pinned, edited, time, own && icon(TICKS[state.name])),
		place.actions && actionsButton(room, entry, place, actions)),
	entry.reactions?.length > 0 && chips(entry, place, actions),
	place.replies > 0 && threadLink(room, entry, place, actions),
	own && stateLine(entry, state, place, actions));
}

function messageText(nodes) {
	return element(hasBlocks(nodes) ? "div" : "span", { class: "text", "data-testid": "message-text", dir: "auto" }, ...nodes);
}

/** The reactions to a message; a click gives one or takes it back. */
function chips({ position, reactions }, { reacts }, actions) {
	return element("div", { class: "reactions", role: "group", "aria-label": "Reactions" }, ...reactions.map(({ key, n, mine }) =>
		element("button", {
			type: "button", class: "reaction", "data-testid": "reaction", "data-focus": `reaction ${key}`, "aria-pressed": String(mine),
			"aria-label": `${key}, ${n}`, disabled: reacts ? null : "", onclick: () => actions.react(position, key, !mine),
		}, element("span", { "aria-hidden": "true" }, key), element("span", { "aria-hidden": "true" }, String(n)))));
}

/** The message that this one answers; a click shows it. */
function quote({ position, sender, text }, actions) {
	return element("button", {
		type: "button", class: "quote", "data-testid": "quote", "data-focus": "quote", disabled: sender && actions.show ? null : "",
		onclick: () => actions.show(position),
	},
	element("span", { class: "hidden" }, "Answer to "),
	sender && element("strong", {}, `${sender}: `),
	element("span", { dir: "auto" }, text));
}

function threadLink(room, { position }, { replies, unread }, actions) {
	const words = replies === 1 ? "1 reply" : `${replies} replies`;
	return element("button", {
		type: "button", class: "thread-link", "data-testid": "thread-link", "data-focus": "thread",
		onclick: () => actions.thread(room, position),
	},
	words,
	unread > 0 && element("span", { class: "badge", "data-testid": "thread-unread", "aria-label": `${unread} unread` }, String(unread)));
}

/** One of these buttons is reached with Tab, the others with the arrow keys. */
function actionsButton(room, entry, { lastChangeable }, actions) {
	return element("button", {
		type: "button", class: "message-actions", "data-testid": "message-actions", tabindex: lastChangeable ? 0 : -1,
		"aria-label": `Actions for: ${entry.text.slice(0, 60)}`, title: "React, answer, pin, edit or delete",
		onclick: () => actions.change(room, entry),
	}, icon("M5 12h.1M12 12h.1M19 12h.1"));
}

function stateLine(entry, state, { lastOwn }, actions) {
	const failed = state.name === "failed";
	return element("span", {
		class: lastOwn || failed ? `state ${state.name}` : "hidden", "data-testid": state.name,
	},
	failed ? `Not sent. ${state.words} ` : state.words,
	failed && element("button", {
		type: "button", class: "link", "data-testid": "retry-message", onclick: () => actions.retry(entry.outgoing),
	}, "Try again"),
	failed && element("button", {
		type: "button", class: "link", "data-testid": "discard-message", onclick: () => actions.discard(entry.outgoing),
	}, "Discard"));
}
