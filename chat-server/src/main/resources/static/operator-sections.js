import { element } from "./dom.js";
import { exact } from "./times.js";

const time = (instant) => instant && element("time", { datetime: instant }, exact(instant));
const short = (value) => value !== undefined && value !== null && element("span", { class: "short" }, String(value));
const link = (section, filters, text) => element("a", { class: "short", href: address(section, filters) }, text);
const userLinks = (name) => [link("sign-ins", { user: name }, "sign-ins"), " ", link("rooms", { member: name }, "rooms"), " ",
	link("audit", { user: name }, "audit")];

/** Returns the address of a section with filters on this page. */
export function address(section, filters = {}) {
	const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
	return `#${section}${query.size ? `?${query}` : ""}`;
}

/**
 * The lists of the page, by name. `filters` are the fields of the form: a label, or a label and the choices; those in
 * `required` must be filled in. `path` returns the call for them without the query, which has the other filters. `rows` and
 * `next` read the answer: `next` is the parameter of the next page. `note` is a sentence about the answer.
 */
export const SECTIONS = {
	users: {
		title: "Users",
		filters: { search: "Name contains", state: ["State", "", "active", "suspended", "disabled"] },
		path: () => "/api/operator/users",
		rows: (page) => page.users,
		next: ({ next }) => next && { after: next },
		columns: {
			Name: (user) => user.username,
			State: (user) => user.state,
			Operator: (user) => user.operator && "operator",
			Created: (user) => time(user.createdAt),
			See: (user) => userLinks(user.username),
		},
	},
	"sign-ins": {
		title: "Sign-ins",
		filters: { user: "User" },
		required: ["user"],
		path: ({ user }) => `/api/operator/users/${encodeURIComponent(user)}/sign-ins`,
		rows: (page) => page,
		columns: {
			Device: (one) => one.device,
			Since: (one) => time(one.createdAt),
			"Last used": (one) => time(one.usedAt),
			"Valid until": (one) => time(one.expiresAt),
			Id: (one) => short(one.id),
		},
	},
	rooms: {
		title: "Rooms",
		filters: { search: "Name contains", member: "Member" },
		path: () => "/api/operator/rooms",
		rows: (page) => page.rooms,
		next: ({ next }) => next && { after: next },
		columns: {
			Name: (room) => room.name,
			Kind: (room) => short(room.kind === "channel" && room.private ? "private channel" : room.kind),
			Members: (room) => link("members", { room: room.id }, String(room.memberCount)),
			"Created by": (room) => room.createdBy,
			Created: (room) => time(room.createdAt),
			Id: (room) => short(room.id),
			See: (room) => link("reports", { room: room.id, state: "all" }, "reports"),
		},
	},
	members: {
		title: "Members",
		filters: { room: "Id of the room" },
		required: ["room"],
		path: ({ room }) => `/api/operator/rooms/${encodeURIComponent(room)}/members`,
		rows: (page) => page.members,
		next: ({ next }) => next && { after: next },
		columns: {
			Name: (member) => member.username,
			Role: (member) => member.role,
			"Muted until": (member) => time(member.mutedUntil),
			See: (member) => userLinks(member.username),
		},
	},
	reports: {
		title: "Reports",
		filters: { room: "Id of the room", state: ["State", "open", "resolved", "dismissed", "all"] },
		path: () => "/api/operator/reports",
		rows: (page) => page.reports,
		next: ({ next }) => next && { before: next },
		columns: {
			Number: (report) => String(report.id),
			Reported: (report) => time(report.reportedAt),
			State: (report) => report.state,
			Text: (report) => report.text,
			Reason: (report) => report.reason,
			"Written by": (report) => report.sender,
			"Reported by": (report) => report.reporter,
			Room: (report) => short(report.room),
			Position: (report) => short(report.position),
			"Closed by": (report) => report.closedBy,
			Note: (report) => report.note,
		},
	},
	audit: {
		title: "Audit log",
		filters: { user: "User", action: "Action, such as user_updated" },
		path: () => "/api/operator/audit",
		rows: (page) => page.events,
		next: ({ next }) => next && { before: next },
		columns: {
			At: (event) => time(event.at),
			Action: (event) => short(event.action),
			By: (event) => event.actor,
			About: (event) => event.user,
			From: (event) => short(event.address),
			Detail: (event) => event.detail && JSON.stringify(event.detail),
		},
	},
	readers: {
		title: "Readers",
		filters: {},
		path: () => "/api/operator/readers",
		rows: (page) => page,
		note: () => "Records of the log that the workers have not handled. A number that grows means that a worker is slow or away.",
		columns: {
			Worker: (reader) => reader.name,
			"Unread records": (reader) => String(reader.unread),
			"In partitions": (reader) => String(reader.partitions),
			"Parked records": (reader) => link("parked", { reader: reader.name }, String(reader.parked)),
		},
	},
	parked: {
		title: "Parked records",
		filters: { reader: ["Worker", "persistence", "notification"] },
		path: () => "/api/operator/parked",
		rows: (page) => page,
		note: (page) => (page.length ? "“./chat admin replay-parked” stores those of the persistence-worker that can be stored by now." : ""),
		columns: {
			Parked: (record) => time(record.parkedAt),
			Partition: (record) => String(record.partition),
			Epoch: (record) => String(record.epoch),
			Offset: (record) => String(record.offset),
			Bytes: (record) => String(record.bytes),
			Reason: (record) => record.reason,
		},
	},
	"push-log": {
		title: "Push log",
		filters: { user: "User", room: "Id of the room", position: "Position of one message" },
		required: ["user", "room"],
		path: () => "/api/push/log",
		rows: (page) => page.entries,
		note: (page) => page.explanation,
		columns: {
			At: (entry) => time(entry.at),
			Outcome: (entry) => short(entry.outcome),
			Platform: (entry) => entry.platform,
			Device: (entry) => entry.device && short(entry.device.slice(0, 8)),
			Positions: (entry) => short(entry.firstPosition === entry.lastPosition ? entry.firstPosition
				: `${entry.firstPosition} to ${entry.lastPosition}`),
			Detail: (entry) => entry.detail,
		},
	},
};
