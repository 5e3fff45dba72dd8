import { attempt } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { moderates } from "./room-roles.js";
import { briefly } from "./times.js";

/** The open reports of messages of the open room, for its moderators. */
export class RoomReports {

	constructor(store, onShow) {
		Object.assign(this, { store, onShow });
		this.part = byId("reports");
		this.list = byId("report-list");
		this.part.addEventListener("toggle", () => this.part.open && attempt(this.part, () => this.#load()));
	}

	reset() {
		this.part.open = false;
		this.list.replaceChildren();
	}

	render(room) {
		this.part.hidden = room.kind === "direct" || !moderates(room.role);
	}

	async #load() {
		const room = this.store.current;
		const { reports, next } = await this.store.chat.reports(room.id);
		this.list.replaceChildren(...reports.map((report) => this.#item(room, report)));
		byId("no-reports").hidden = reports.length > 0;
		byId("more-reports").hidden = next === null;
	}

	#item(room, { id, position, sender, reason, text, reportedAt }) {
		const close = (state) => attempt(this.part, async () => {
			await this.store.chat.closeReport(room.id, id, { state });
			await this.#load();
			(this.list.querySelector("button") ?? this.part.querySelector("summary")).focus();
		});
		const button = (name, words, onclick) => element("button", {
			type: "button", class: "small", "data-testid": `report-${name}`, "aria-label": `${words}: report of the message of ${sender}`, onclick,
		}, words);
		return element("li", { class: "report", "data-testid": "report" },
			element("p", {}, "Message of ", element("strong", {}, sender), element("span", { class: "muted" }, `, reported ${briefly(reportedAt)}`)),
			element("blockquote", { class: "excerpt", dir: "auto", tabindex: "0" }, text),
			element("p", { dir: "auto" }, element("span", { class: "muted" }, "Reason: "), reason),
			element("div", { class: "row" },
				button("show", "Show", () => this.onShow(room, position)),
				button("dismiss", "Dismiss", () => close("dismissed")),
				button("resolve", "Done", () => close("resolved"))));
	}

}
