import { byId, element, paintAvatar } from "./dom.js";

const ROLES = ["reader", "member", "moderator", "owner"];
const MUTE_MS = 3_600_000;
/** The fragment of an invite link; browsers do not send it. */
const INVITE = /#invite=([A-Za-z0-9_-]{1,64})$/;

/** The dialogs for rooms: create, join, show and moderate members, invite and leave. */
export class RoomDialogs {

	#sure = false;

	constructor(store) {
		this.store = store;
		this.chat = store.chat;
		this.fresh = byId("new-dialog");
		this.details = byId("details-dialog");
		this.form = byId("new-form");
		document.querySelectorAll("[data-close]").forEach((button) =>
			button.addEventListener("click", () => button.closest("dialog").close()));
		["new-room", "empty-new"].forEach((id) => byId(id).addEventListener("click", () => this.#openNew()));
		this.form.addEventListener("change", () => this.#showFields());
		onSubmit(this.form, this.fresh, () => this.#create());
		byId("details").addEventListener("click", () => this.#openDetails());
		onSubmit(byId("invite-form"), this.details, () => this.#invite());
		byId("leave").addEventListener("click", () => attempt(this.details, () => this.#leave()));
		byId("make-link").addEventListener("click", () => attempt(this.details, () => this.#makeLink()));
	}

	/** Updates the member list while the dialog is open. */
	render() {
		const room = this.store.current;
		if (!this.details.open) {
			return;
		}
		if (!room) {
			this.details.close();
			return;
		}
		byId("details-title").textContent = room.title;
		byId("details-id").textContent = room.id;
		byId("invite-form").hidden = room.kind === "direct" || room.role === "reader";
		byId("link-row").hidden = !moderates(room.role);
		if (!byId("members").contains(document.activeElement)) {
			byId("members").replaceChildren(...[...room.members].sort(([one], [other]) => one.localeCompare(other))
				.map(([name, member]) => this.#member(room, name, member)));
		}
	}

	#openNew() {
		this.form.reset();
		explain(this.fresh, "");
		this.#showFields();
		this.fresh.showModal();
		byId("new-peer").focus();
	}

	#showFields() {
		const kind = this.form.kind.value;
		this.form.querySelectorAll("[data-for]").forEach((part) =>
			(part.hidden = !part.dataset.for.split(" ").includes(kind)));
		this.form.querySelector(".primary").textContent = kind === "join" ? "Join" : kind === "direct" ? "Start" : "Create";
	}

	async #create() {
		const value = (name) => this.form.elements[name].value.trim();
		const kind = value("kind");
		const id = kind === "join" ? await this.#join(value("id")) : (await this.chat.createRoom(wanted(kind, value))).id;
		this.fresh.close();
		await this.store.adopt(id);
	}

	async #join(id) {
		const invite = INVITE.exec(id);
		if (invite) {
			return (await this.chat.redeem(invite[1])).id;
		}
		require(/^[A-Za-z0-9_-]{1,64}$/.test(id), "Enter the id of a channel, or an invite link.");
		await this.chat.join(id);
		return id;
	}

	#openDetails() {
		this.#beSure(false);
		byId("invite").value = "";
		byId("link").value = "";
		explain(this.details, "");
		this.details.showModal();
		this.render();
		attempt(this.details, async () => {
			this.blocked = new Set((await this.chat.blocks()).map(({ username }) => username));
			this.render();
		});
	}

	#member(room, name, { role, online, mutedUntil }) {
		const dot = element("span", { class: online ? "presence online" : "presence" });
		return element("li", { "data-testid": "member", "data-member": name, "data-state": online ? "online" : "offline" },
			element("span", { class: "portrait" },
				paintAvatar(element("span", { class: "avatar small", "aria-hidden": "true" }), name), dot),
			element("span", { class: "grow" }, name === this.chat.username ? `${name} (you)` : name),
			element("span", { class: "muted", "data-testid": "member-role" }, labels(role, mutedUntil)),
			element("span", { class: "muted" }, online ? "online" : "offline"),
			element("span", { class: "member-actions" }, ...this.#actions(room, name, role, mutedUntil)));
	}

	/** Returns the actions on a member that the user's own role permits. */
	#actions(room, name, role, mutedUntil) {
		if (name === this.chat.username) {
			return [];
		}
		const change = (action) => attempt(this.details, async () => {
			document.activeElement?.blur();
			await action();
			await this.store.refresh(room);
		});
		const button = (id, label, action) =>
			element("button", { type: "button", class: "link", "data-testid": id, onclick: () => change(action) }, label);
		const isBlocked = Boolean(this.blocked?.has(name));
		const actions = [button("member-block", isBlocked ? "Unblock" : "Block", async () => {
			await this.chat.block(name, !isBlocked);
			this.blocked = new Set((await this.chat.blocks()).map(({ username }) => username));
		})];
		if (!moderates(room.role) || ROLES.indexOf(role) >= ROLES.indexOf(room.role)) {
			return actions;
		}
		const given = ROLES.filter((other) => room.role === "owner" || ROLES.indexOf(other) < ROLES.indexOf(room.role));
		const give = ({ target }) => change(() => this.chat.changeRole(room.id, name, target.value));
		return [element("select", { "data-testid": "member-set-role", "aria-label": `Role of ${name}`, onchange: give },
			...given.map((other) => element("option", { value: other, selected: other === role && "" }, other))),
			button("member-mute", mutedUntil ? "Unmute" : "Mute 1 h", () =>
				this.chat.mute(room.id, name, mutedUntil ? null : new Date(Date.now() + MUTE_MS))),
			button("member-remove", "Remove", () => this.chat.remove(room.id, name)), ...actions];
	}

	async #makeLink() {
		const { token } = await this.chat.createInvite(this.store.current.id);
		byId("link").value = `${location.origin}${location.pathname}#invite=${token}`;
		byId("link").select();
	}

	async #invite() {
		const name = byId("invite").value.trim();
		require(name, "Enter the name of the person to invite.");
		await this.chat.invite(this.store.current.id, name);
		byId("invite").value = "";
	}

	async #leave() {
		if (!this.#sure) {
			this.#beSure(true);
			return;
		}
		const { id } = this.store.current;
		await this.chat.leave(id);
		this.details.close();
		this.store.drop(id);
	}

	#beSure(sure) {
		this.#sure = sure;
		byId("leave").textContent = sure ? "Really leave?" : "Leave";
	}

}

/** Joins the room of the invite link by which the page was opened, if there is one; returns its id. */
export async function redeemLink(chat) {
	const invite = INVITE.exec(location.hash);
	if (!invite) {
		return null;
	}
	history.replaceState(null, "", location.pathname + location.search);
	return (await chat.redeem(invite[1])).id;
}

function moderates(role) {
	return role === "moderator" || role === "owner";
}

function labels(role, mutedUntil) {
	const shown = role && role !== "member" ? role : "";
	return mutedUntil ? `${shown} muted`.trim() : shown;
}

function wanted(kind, value) {
	if (kind === "direct") {
		require(value("peer"), "Enter the name of the person.");
		return { kind, name: value("peer"), members: [value("peer")] };
	}
	require(value("name"), "Give the conversation a name.");
	return { kind, name: value("name"), members: value("members").split(",").map((name) => name.trim()).filter(Boolean) };
}

function require(condition, sentence) {
	if (!condition) {
		throw new Error(sentence);
	}
}

function onSubmit(form, dialog, action) {
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		attempt(dialog, action);
	});
}

async function attempt(dialog, action) {
	explain(dialog, "");
	try {
		await action();
	}
	catch (error) {
		explain(dialog, error.message);
	}
}

function explain(dialog, sentence) {
	dialog.querySelector(".error").textContent = sentence;
}
