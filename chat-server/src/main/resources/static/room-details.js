import { attempt, explain, onSubmit, require, sure } from "./dialogs.js";
import { byId } from "./dom.js";
import { InviteLinks } from "./invite-links.js";
import { MemberList } from "./member-list.js";
import { RoomBans } from "./room-bans.js";
import { RoomReports } from "./room-reports.js";
import { moderates } from "./room-roles.js";
import { RoomSettings } from "./room-settings.js";

/** Mutes of others, and on older records their roles, come without an event. */
const REFRESH_MS = 5_000;

/** The dialog "People and settings" of the open room. Shows only what the user's role permits, also when it changes. */
export class RoomDetails {

	#refreshing;
	#members;

	constructor(store, onShow) {
		this.store = store;
		this.chat = store.chat;
		this.dialog = byId("details-dialog");
		this.list = new MemberList(store, this.dialog);
		this.links = new InviteLinks(store);
		this.bans = new RoomBans(store);
		this.settings = new RoomSettings(store);
		this.reports = new RoomReports(store, (room, position) => {
			this.dialog.close();
			onShow(room, { position });
		});
		byId("details").addEventListener("click", () => this.#open());
		this.dialog.addEventListener("close", () => clearInterval(this.#refreshing));
		onSubmit(byId("invite-form"), () => this.#invite(), this.dialog);
		sure(byId("leave"), "Really leave?", () => attempt(this.dialog, () => this.#leave()));
	}

	render() {
		const room = this.store.current;
		if (!this.dialog.open) {
			return;
		}
		if (room?.id !== this.room) {
			this.dialog.close();
			return;
		}
		byId("details-title").textContent = room.title;
		byId("details-id").textContent = room.id;
		byId("details-kind").textContent = kind(room);
		byId("leave").hidden = room.kind === "direct";
		byId("invite-form").hidden = room.kind === "direct" || room.role === "reader";
		this.links.part.hidden = this.bans.part.hidden = !moderates(room.role);
		this.settings.render(room);
		this.reports.render(room);
		this.list.render(room);
		if (this.#members !== room.memberCount) {
			this.#members = room.memberCount;
			attempt(this.bans.part, () => this.bans.load());
		}
	}

	#open() {
		const room = this.store.current;
		this.room = room.id;
		byId("invite").value = "";
		explain(this.dialog, "");
		[this.list, this.settings, this.reports, this.links, this.bans].forEach((part) => part.reset());
		this.dialog.showModal();
		this.render();
		const refresh = () => Promise.all([this.store.refresh(room), this.store.loadBlocks()]);
		attempt(this.dialog, refresh);
		clearInterval(this.#refreshing);
		this.#refreshing = setInterval(() => {
			if (!document.hidden && this.chat.state.name === "online" && this.store.rooms.get(room.id) === room) {
				// A failure shows as the state of the connection; the next call follows.
				this.store.refresh(room).catch(() => {});
			}
		}, REFRESH_MS);
	}

	async #invite() {
		const name = byId("invite").value.trim();
		require(name, "Enter the name of the person to invite.");
		await this.chat.invite(this.room, name);
		byId("invite").value = "";
		await this.store.refresh(this.store.current);
	}

	async #leave() {
		await this.chat.leave(this.room);
		this.dialog.close();
		this.store.drop(this.room);
	}

}

function kind(room) {
	if (room.kind === "direct") {
		return "A conversation of two people.";
	}
	if (room.kind === "group") {
		return "A group: members invite others.";
	}
	return room.isPrivate ? "A private channel: people join by invitation only." : "An open channel: whoever knows its id can join.";
}
