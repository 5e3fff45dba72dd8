import { RestApi } from "./client/rest-api.js";
import { deviceName } from "./device-name.js";
import { byId, element } from "./dom.js";
import { address, SECTIONS } from "./operator-sections.js";

/**
 * The page for operators: lists what the operator endpoints show, a section each. The address has the section and its
 * filters, so that a list can be reloaded and sent to somebody. The tokens stay in the memory of this tab: after a reload the
 * operator signs in again.
 */
const LIMIT = 100;
/** Not a device that stays signed in. */
const rest = new RestApi({
	baseUrl: "",
	fetch: fetch.bind(globalThis),
	deviceName: `${deviceName()}, page for operators`,
	devices: new Map(),
	onTokens: (tokens) => tokens || showSignIn("You are signed out."),
});
const form = byId("signin-form");
/** Counts the lists, so that an answer for a list that was left is not shown. */
let shown = 0;

function showSignIn(sentence) {
	byId("operator").hidden = true;
	byId("signin").hidden = false;
	byId("signin-lead").textContent = sentence;
	byId("table").tBodies[0].replaceChildren();
	form.password.value = "";
	form.username.focus();
}

async function signIn() {
	const button = form.querySelector("button");
	byId("signin-error").textContent = "";
	button.disabled = true;
	try {
		await rest.login(form.username.value.trim(), form.password.value);
		await requireOperator();
		byId("me").textContent = rest.tokens.username;
		byId("signin").hidden = true;
		byId("operator").hidden = false;
		form.reset();
		show();
	}
	catch (error) {
		byId("signin-error").textContent = error.message;
	}
	finally {
		button.disabled = false;
	}
}

async function requireOperator() {
	try {
		await rest.get("/api/operator/users?limit=1");
	}
	catch (error) {
		await rest.logout();
		throw error;
	}
}

/** Returns the section of the address and its filters. */
function current() {
	const [name, query] = location.hash.slice(1).split("?");
	const section = Object.hasOwn(SECTIONS, name) ? name : "users";
	return { section, filters: Object.fromEntries(new URLSearchParams(query)) };
}

function show() {
	if (!rest.tokens) {
		return;
	}
	const { section, filters } = current();
	byId("sections").replaceChildren(...Object.entries(SECTIONS).map(([name, { title }]) => element("a", {
		href: address(name),
		"data-testid": `section-${name}`,
		"aria-current": name === section && "page",
	}, title)));
	byId("section-title").textContent = SECTIONS[section].title;
	showFilters(section, filters);
	const columns = Object.keys(SECTIONS[section].columns).map((name) => element("th", { scope: "col" }, name));
	byId("table").tHead.replaceChildren(element("tr", {}, ...columns));
	byId("table").tBodies[0].replaceChildren();
	byId("list-note").textContent = "";
	byId("more").hidden = true;
	shown++;
	load(section, filters, {});
}

function showFilters(section, values) {
	const fields = Object.entries(SECTIONS[section].filters).map(([name, field]) => {
		const [label, ...choices] = [field].flat();
		const attributes = { id: `filter-${name}`, name, "data-testid": `filter-${name}` };
		const input = choices.length === 0 ? element("input", { ...attributes, autocomplete: "off", spellcheck: "false" })
			: element("select", attributes, ...choices.map((choice) => element("option", { value: choice }, choice || "any")));
		input.value = values[name] ?? choices[0] ?? "";
		return element("div", {}, element("label", { for: `filter-${name}` }, label), input);
	});
	byId("filters").replaceChildren(...fields, element("button", { class: "small", "data-testid": "load" }, fields.length ? "Show" : "Show again"));
}

async function load(section, filters, page) {
	const { path, rows, next, note, columns, required = [] } = SECTIONS[section];
	const list = shown;
	byId("list-error").textContent = "";
	if (required.some((name) => !filters[name])) {
		byId("list-note").textContent = `Fill in: ${required.map((name) => [SECTIONS[section].filters[name]].flat()[0]).join(", ")}.`;
		return;
	}
	byId("more").hidden = true;
	try {
		const answer = await rest.get(`${path(filters)}?${query(section, filters, page)}`);
		if (list !== shown) {
			return;
		}
		byId("table").tBodies[0].append(...rows(answer).map((row) => element("tr", {}, ...Object.values(columns).map(
			(cell) => element("td", {}, ...[cell(row)].flat())))));
		const empty = byId("table").tBodies[0].rows.length === 0 ? "Nothing to show." : "";
		byId("list-note").textContent = note?.(answer) || empty;
		const following = next?.(answer);
		byId("more").hidden = !following;
		byId("more").onclick = () => load(section, filters, following);
	}
	catch (error) {
		if (list === shown) {
			byId("list-error").textContent = error.message;
		}
	}
}

function query(section, filters, page) {
	const known = Object.keys(SECTIONS[section].filters).filter((name) => filters[name]);
	const paged = SECTIONS[section].next ? { limit: LIMIT } : {};
	return new URLSearchParams({ ...Object.fromEntries(known.map((name) => [name, filters[name]])), ...paged, ...page });
}

form.addEventListener("submit", (event) => {
	event.preventDefault();
	signIn();
});
byId("filters").addEventListener("submit", (event) => {
	event.preventDefault();
	const { section } = current();
	const wanted = address(section, Object.fromEntries([...new FormData(byId("filters"))].map(([name, value]) => [name, value.trim()])));
	if (wanted === location.hash) {
		show();
	}
	else {
		location.hash = wanted;
	}
});
byId("signout").addEventListener("click", () => rest.logout());
window.addEventListener("hashchange", () => {
	show();
	byId("section-title").focus();
});
form.username.focus();
