import { byId, element, paintAvatar } from "./dom.js";

/** The dialogs for rooms: create, join by id, show members, invite and leave. */
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
		byId("invite-form").hidden = room.kind === "direct";
		byId("members").replaceChildren(...[...room.members].sort().map(([name, { online }]) => this.#member(name, online)));
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
		require(/^[A-Za-z0-9_-]{1,64}$/.test(id), "Enter the id of the room; it has letters, digits, - and _ only.");
		await this.chat.join(id);
		return id;
	}

	#openDetails() {
		this.#beSure(false);
		byId("invite").value = "";
		explain(this.details, "");
		this.details.showModal();
		this.render();
	}

	#member(name, online) {
		const dot = element("span", { class: online ? "presence online" : "presence" });
		return element("li", { "data-testid": "member", "data-member": name, "data-state": online ? "online" : "offline" },
			element("span", { class: "portrait" },
				paintAvatar(element("span", { class: "avatar small", "aria-hidden": "true" }), name), dot),
			element("span", { class: "grow" }, name === this.chat.username ? `${name} (you)` : name),
			element("span", { class: "muted" }, online ? "online" : "offline"));
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
