import { attempt, sure } from "./dialogs.js";
import { byId, element, paintAvatar, reconcile } from "./dom.js";
import { presenceOf } from "./room.js";
import { isMuted, mayGive, mayModerate } from "./room-roles.js";
import { FAR_OFF_MS, moment } from "./times.js";

const MINUTE_MS = 60_000;
/** The server's longest mute is a day longer. */
const UNTIL_LIFTED_MS = 365 * 24 * 60 * MINUTE_MS;
const MUTES = [["10 minutes", 10 * MINUTE_MS], ["1 hour", 60 * MINUTE_MS], ["1 day", 24 * 60 * MINUTE_MS],
	["until lifted", UNTIL_LIFTED_MS]];
const OWNER_QUESTION = "Really hand over? You become a moderator";

/** The members of the open room, each with what the user may do about them. */
export class MemberList {

	#expanded = new Set();

	constructor(store, dialog) {
		this.store = store;
		this.chat = store.chat;
		this.dialog = dialog;
		this.list = byId("members");
	}

	/** Collapses all members. */
	reset() {
		this.#expanded.clear();
		this.list.replaceChildren();
	}

	/** Updates what has changed. The focus stays where it is, also in a member that has changed. */
	render(room) {
		const focus = this.#focus();
		const names = [...room.members.keys()].sort((one, other) => one.localeCompare(other));
		reconcile(this.list, names.map((name) => ({
			key: name,
			signature: room.id,
			render: () => element("li", { "data-testid": "member", "data-member": name }),
		})));
		for (const row of this.list.children) {
			this.#fill(row, room, row.dataset.key, room.members.get(row.dataset.key));
		}
		const rest = Math.max(0, (room.memberCount ?? 0) - names.length);
		byId("members-rest").hidden = rest === 0;
		byId("members-rest").textContent = `… and ${rest} more.`;
		this.#restore(focus);
	}

	#fill(row, room, name, member) {
		row.dataset.state = presenceOf(member);
		const self = name === this.chat.username;
		const shown = {
			role: member.role,
			mutedUntil: isMuted(member) ? member.mutedUntil : null,
			blocked: this.store.blocked.has(name),
			roles: mayGive(room.role, member.role, self),
			moderated: !self && mayModerate(room.role, member.role),
		};
		const panel = shown.moderated || shown.roles.length > 0;
		const items = [
			{ key: "who", signature: JSON.stringify([shown, presenceOf(member), member.lastSeen]), render: () => this.#who(name, member, shown, panel) },
		];
		if (panel) {
			items.push({ key: "panel", signature: JSON.stringify(shown), render: () => this.#panel(room, name, shown) });
		}
		reconcile(row, items);
	}

	#who(name, member, { role, mutedUntil, blocked }, panel) {
		const self = name === this.chat.username;
		const presence = presenceOf(member);
		const seen = presence !== "online" && member.lastSeen && `last seen ${moment(member.lastSeen)}`;
		const labels = [role, presence, seen, mutedUntil && mutedText(mutedUntil), blocked && "blocked"];
		const more = panel && element("button", {
			type: "button", class: "small", "data-testid": "member-manage", "aria-expanded": String(this.#expanded.has(name)),
			"aria-label": `Manage ${name}`, onclick: (event) => this.#toggle(name, event.currentTarget),
		}, "Manage");
		return element("div", { class: "member" },
			element("span", { class: "portrait" },
				paintAvatar(element("span", { class: "avatar small", "aria-hidden": "true" }), name),
				element("span", { class: `presence ${presence}` })),
			element("span", { class: "grow" },
				element("span", { class: "member-name" }, self ? `${name} (you)` : name),
				element("span", { class: "muted member-labels", "data-testid": "member-labels" },
					...labels.filter(Boolean).map((label) => element("span", { "data-testid": label === role && "member-role" }, label)))),
			more || (!self && this.#blockButton(name, blocked)));
	}

	#toggle(name, button) {
		const open = !this.#expanded.has(name);
		open ? this.#expanded.add(name) : this.#expanded.delete(name);
		button.setAttribute("aria-expanded", String(open));
		button.closest("li").querySelector(".member-panel").hidden = !open;
	}

	/** What the user's own role permits, and nothing else. */
	#panel(room, name, { role, mutedUntil, roles, moderated, blocked }) {
		const panel = element("div", {
			class: "member-panel", role: "group", "aria-label": `Manage ${name}`, "data-testid": "member-panel",
		});
		panel.hidden = !this.#expanded.has(name);
		if (roles.length > 0) {
			panel.append(this.#roleRow(room, name, role, roles));
		}
		if (moderated) {
			const remove = sure(this.#button("member-remove", "Remove and ban", "danger"), `Really remove ${name}?`,
				() => this.#change(room, () => this.chat.remove(room.id, name)));
			panel.append(this.#muteRow(room, name, mutedUntil),
				element("div", { class: "row" }, remove, this.#blockButton(name, blocked)));
		}
		return panel;
	}

	#roleRow(room, name, role, roles) {
		const select = choice("member-set-role", `Role of ${name}`, roles.map((other) => [other, other]), role);
		const save = () => this.#change(room, () => this.chat.changeRole(room.id, name, select.value));
		const button = this.#button("member-save-role", "Set role");
		const handOver = sure(this.#button("member-hand-over", "Hand over"), OWNER_QUESTION, save);
		button.addEventListener("click", save);
		const show = () => {
			button.hidden = select.value === "owner";
			handOver.hidden = !button.hidden;
		};
		select.addEventListener("change", show);
		show();
		return element("div", { class: "row" }, select, button, handOver);
	}

	#muteRow(room, name, mutedUntil) {
		if (mutedUntil) {
			const unmute = this.#button("member-unmute", "Unmute");
			unmute.addEventListener("click", () => this.#change(room, () => this.chat.mute(room.id, name, null)));
			return element("div", { class: "row" }, element("span", { class: "grow muted" }, capital(mutedText(mutedUntil))), unmute);
		}
		const select = choice("member-mute-time", `How long to mute ${name}`, MUTES.map(([text, millis]) => [String(millis), text]));
		const mute = this.#button("member-mute", "Mute");
		mute.addEventListener("click", () =>
			this.#change(room, () => this.chat.mute(room.id, name, new Date(Date.now() + Number(select.value)))));
		return element("div", { class: "row" }, select, mute);
	}

	#blockButton(name, blocked) {
		const button = this.#button("member-block", blocked ? "Unblock" : "Block");
		button.setAttribute("aria-label", `${button.textContent} ${name}`);
		button.addEventListener("click", () => attempt(this.dialog, () => this.store.block(name, !blocked)));
		return button;
	}

	#button(id, label, kind = "") {
		return element("button", { type: "button", class: `small ${kind}`, "data-testid": id }, label);
	}

	#change(room, action) {
		return attempt(this.dialog, async () => {
			await action();
			await this.store.refresh(room);
		});
	}

	#focus() {
		const node = this.list.contains(document.activeElement) ? document.activeElement : null;
		return node && { node, row: node.closest("li").dataset.key, id: node.dataset.testid };
	}

	#restore(focus) {
		if (!focus || focus.node.isConnected) {
			return;
		}
		const row = [...this.list.children].find((other) => other.dataset.key === focus.row);
		const same = row?.querySelector(`[data-testid="${focus.id}"]`);
		const next = same?.checkVisibility() ? same : row?.querySelector("button");
		(next ?? byId("details-close")).focus();
	}

}

function choice(id, label, options, chosen) {
	return element("select", { "data-testid": id, "aria-label": label },
		...options.map(([value, text]) => element("option", { value, selected: value === chosen && "" }, text)));
}

function mutedText(until) {
	return Date.parse(until) - Date.now() > FAR_OFF_MS ? "muted" : `muted until ${moment(until)}`;
}

function capital(text) {
	return text[0].toUpperCase() + text.slice(1);
}
