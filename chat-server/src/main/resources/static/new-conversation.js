import { explain, onSubmit, require } from "./dialogs.js";
import { byId } from "./dom.js";
import { inviteToken } from "./invite-links.js";

/** The dialog to open a room, or to join one. */
export class NewConversation {

	constructor(store) {
		this.store = store;
		this.chat = store.chat;
		this.dialog = byId("new-dialog");
		this.form = byId("new-form");
		["new-room", "empty-new"].forEach((id) => byId(id).addEventListener("click", () => this.#open()));
		this.form.addEventListener("change", () => this.#showFields());
		onSubmit(this.form, () => this.#create());
	}

	#open() {
		this.form.reset();
		explain(this.form, "");
		this.#showFields();
		this.dialog.showModal();
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
		const id = kind === "join" ? await this.#join(value("id"))
			: (await this.chat.createRoom(wanted(kind, value, this.form.private.checked))).id;
		this.dialog.close();
		await this.store.adopt(id);
	}

	async #join(id) {
		const token = inviteToken(id);
		if (token) {
			return (await this.chat.redeem(token)).id;
		}
		require(/^[A-Za-z0-9_-]{1,64}$/.test(id), "Enter the id of a channel, or an invite link.");
		await this.chat.join(id);
		return id;
	}

}

function wanted(kind, value, invited) {
	if (kind === "direct") {
		require(value("peer"), "Enter the name of the person.");
		return { kind, name: value("peer"), members: [value("peer")] };
	}
	require(value("name"), "Give the conversation a name.");
	const members = value("members").split(",").map((name) => name.trim()).filter(Boolean);
	return { kind, name: value("name"), members, private: kind === "channel" ? invited : undefined };
}
