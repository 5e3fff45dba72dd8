import { attempt, onSubmit, require } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { moment } from "./times.js";

const HOUR_MS = 3_600_000;
/** The server takes no longer ones; its clock may be behind. */
const LONGEST_MS = 30 * 24 * HOUR_MS - 600_000;
const MAX_USES = 10_000;
/** The fragment of an invite link; browsers do not send it. */
const INVITE = /#invite=([A-Za-z0-9_-]{1,64})$/;

/** Returns the token of an invite link, or undefined. */
export function inviteToken(link) {
	return INVITE.exec(link)?.[1];
}

/** Joins the room of the invite link by which the page was opened, if there is one; returns its id. */
export async function redeemLink(chat) {
	const token = inviteToken(location.hash);
	if (!token) {
		return null;
	}
	history.replaceState(null, "", location.pathname + location.search);
	return (await chat.redeem(token)).id;
}

/** The invite links of the open room: make, copy, list and revoke. */
export class InviteLinks {

	constructor(store) {
		this.store = store;
		this.chat = store.chat;
		this.part = byId("links");
		this.form = byId("link-form");
		this.part.addEventListener("toggle", () => this.part.open && attempt(this.part, () => this.#load()));
		onSubmit(this.form, () => this.#make(), this.part);
		byId("copy-link").addEventListener("click", () => this.#copy());
	}

	/** Collapses the part; a link is shown once. */
	reset() {
		this.part.open = false;
		this.form.reset();
		byId("link").value = "";
		byId("link-row").hidden = true;
		byId("link-note").textContent = "";
		byId("link-list").replaceChildren();
	}

	async #load() {
		const room = this.store.current;
		const links = await this.chat.invites(room.id);
		byId("link-list").replaceChildren(...links.map((link) => this.#item(room, link)));
		byId("no-links").hidden = links.length > 0;
	}

	#item(room, { id, expires, uses, used, by }) {
		const revoke = () => attempt(this.part, async () => {
			await this.chat.revokeInvite(room.id, id);
			await this.#load();
			byId("link-note").textContent = "The link does not work any more.";
			this.part.querySelector("summary").focus();
		});
		const joined = uses ? `${used} of ${uses} joined` : `${used} joined`;
		return element("li", { "data-testid": "link-item" },
			element("span", { class: "grow" }, `By ${by}, until ${moment(expires)}`,
				element("span", { class: "muted labels" }, joined)),
			element("button", { type: "button", class: "small danger", "data-testid": "revoke-link",
				"aria-label": `Revoke the link of ${by}, until ${moment(expires)}`, onclick: revoke }, "Revoke"));
	}

	async #make() {
		const typed = this.form.uses.value.trim();
		require(/^\d*$/.test(typed) && (typed === "" || (Number(typed) >= 1 && Number(typed) <= MAX_USES)),
			"Enter how many people may join, from 1 to 10,000, or leave it empty.");
		const life = Math.min(Number(this.form.hours.value) * HOUR_MS, LONGEST_MS);
		const { token } = await this.chat.createInvite(this.store.current.id,
			{ expires: new Date(Date.now() + life).toISOString(), uses: typed ? Number(typed) : undefined });
		byId("link").value = `${location.origin}${location.pathname}#invite=${token}`;
		byId("link-row").hidden = false;
		byId("link-note").textContent = "Copy the link now: it is shown only once.";
		await this.#load();
		byId("link").focus();
		byId("link").select();
	}

	/** Browsers give the clipboard to pages on secure origins only. */
	async #copy() {
		byId("link").select();
		try {
			await navigator.clipboard.writeText(byId("link").value);
			byId("link-note").textContent = "Copied.";
		}
		catch {
			byId("link-note").textContent = "The link is selected; copy it with the menu or Ctrl+C.";
		}
	}

}
