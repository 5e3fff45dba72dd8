import { attempt, explain, onSubmit, require, sure } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { briefly, exact, moment } from "./times.js";

const WRONG_PASSWORD = "wrong-password";

/** The dialog of the user's own account: the password, the devices, and the people whom they have blocked. */
export class AccountDialog {

	constructor(store) {
		this.store = store;
		this.chat = store.chat;
		this.dialog = byId("account-dialog");
		this.form = byId("password-form");
		byId("account-open").addEventListener("click", () => this.#open());
		onSubmit(this.form, () => this.#changePassword());
		byId("hide-last-seen").addEventListener("change", ({ target }) => this.#hideLastSeen(target));
		sure(byId("end-others"), "Really sign out all others?", () => this.#endOthers());
	}

	/** Updates the people whom the user has blocked. */
	render() {
		if (!this.dialog.open) {
			return;
		}
		const names = [...this.store.blocked].sort((one, other) => one.localeCompare(other));
		const shown = [...byId("blocked").children].map((row) => row.dataset.member);
		byId("no-blocked").hidden = names.length > 0;
		if (names.join("/") !== shown.join("/")) {
			byId("blocked").replaceChildren(...names.map((name) => this.#blocked(name)));
		}
	}

	#open() {
		this.form.reset();
		this.form.username.value = this.chat.username;
		[this.form, byId("devices-part"), byId("blocked-part")].forEach((part) => explain(part, ""));
		[byId("password-done"), byId("devices-note")].forEach((note) => (note.textContent = ""));
		byId("account-who").textContent = this.chat.username;
		const { issuer } = this.chat;
		byId("account-issuer").hidden = !issuer;
		byId("account-issuer").textContent = issuer
			? `You are signed in by ${issuer.name}. Change your password and end sign-ins there.` : "";
		this.form.hidden = byId("devices-part").hidden = Boolean(issuer);
		byId("device-list").replaceChildren();
		this.dialog.showModal();
		this.render();
		if (!issuer) {
			attempt(byId("devices-part"), () => this.#load());
		}
		attempt(byId("blocked-part"), () => this.store.loadBlocks());
		attempt(byId("presence-part"), () => this.#loadPresence());
	}

	async #loadPresence() {
		byId("presence-part").hidden = true;
		const { lastSeen, hideLastSeen } = await this.chat.presence();
		byId("presence-part").hidden = !lastSeen;
		byId("hide-last-seen").checked = hideLastSeen;
	}

	async #hideLastSeen(box) {
		const hidden = box.checked;
		if (!await attempt(byId("presence-part"), () => this.chat.hideLastSeen(hidden))) {
			box.checked = !hidden;
		}
	}

	async #changePassword() {
		byId("password-done").textContent = "";
		const { current, password, again } = this.form;
		require(current.value, "Enter your current password.");
		require(password.value, "Enter a new password.");
		require(password.value === again.value, "The two new passwords are different.");
		require(password.value !== current.value, "The new password is the current one; choose another.");
		try {
			await this.chat.changePassword(current.value, password.value);
		}
		catch (error) {
			require(error.code !== WRONG_PASSWORD, "The current password is wrong.");
			throw error;
		}
		this.form.reset();
		this.form.username.value = this.chat.username;
		byId("password-done").textContent = "Your password is changed. All other devices are signed out.";
		await attempt(byId("devices-part"), () => this.#load());
	}

	async #load() {
		const signIns = await this.chat.signIns();
		byId("device-list").replaceChildren(...signIns.map((signIn) => this.#device(signIn)));
		byId("end-others").hidden = signIns.every(({ current }) => current);
	}

	#device({ id, device, createdAt, usedAt, current }) {
		const name = device.trim() || "Unknown device";
		const end = () => attempt(byId("devices-part"), async () => {
			await this.chat.endSignIn(id);
			await this.#load();
			byId("devices-note").textContent = `${name} is signed out.`;
			byId("devices-title").focus();
		});
		return element("li", { "data-testid": "device", "data-current": String(current) },
			element("span", { class: "grow" },
				element("span", { class: "device-name" }, name, current && element("span", { class: "tag" }, "this device")),
				element("span", { class: "muted labels", title: `Signed in ${exact(createdAt)}, last used ${exact(usedAt)}` },
					`Signed in ${briefly(createdAt)}, last used ${moment(usedAt)}`)),
			!current && element("button", { type: "button", class: "small", "data-testid": "end-device",
				"aria-label": `Sign out ${name}`, onclick: end }, "Sign out"));
	}

	#endOthers() {
		return attempt(byId("devices-part"), async () => {
			await this.chat.endOtherSignIns();
			await this.#load();
			byId("devices-note").textContent = "All other devices are signed out.";
			byId("devices-title").focus();
		});
	}

	#blocked(name) {
		const unblock = () => attempt(byId("blocked-part"), async () => {
			await this.store.block(name, false);
			byId("blocked-title").focus();
		});
		return element("li", { "data-testid": "blocked-user", "data-member": name },
			element("span", { class: "grow" }, name),
			element("button", { type: "button", class: "small", "data-testid": "unblock", "aria-label": `Unblock ${name}`,
				onclick: unblock }, "Unblock"));
	}

}
