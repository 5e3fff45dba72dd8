import { byId, element } from "/dom.js";
import { loadDocument, schemaView } from "/api-schemas.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const VERBS = { receive: "SEND", send: "MESSAGE" };

/** Returns an entry that makes its content when it is opened for the first time. */
function entry(verb, name, note, content) {
	const body = element("div");
	const node = element("details", { class: "entry", "data-testid": "entry", "data-name": `${verb} ${name}`.toLowerCase() },
		element("summary", {}, element("span", { class: "verb" }, verb), element("code", {}, name),
			note && element("span", { class: "muted" }, note)), body);
	node.addEventListener("toggle", async () => {
		if (node.open && body.childElementCount === 0) {
			body.append(...await content());
		}
	});
	return node;
}

const titled = (title, ...nodes) => [element("h4", {}, title), ...nodes];

async function parameters(list, file) {
	if (!list?.length) {
		return [];
	}
	const items = await Promise.all(list.map(async (one) => element("li", {}, element("code", {}, one.name),
		` in the ${one.in}${one.required ? "" : ", optional"}: `, await schemaView(one.schema, file))));
	return titled("Parameters", element("ul", { class: "fields" }, ...items));
}

async function answer(status, response, document, file) {
	const shown = response.$ref ? { ...document.components.responses[response.$ref.split("/").pop()], ...response } : response;
	const schema = Object.values(shown.content ?? {})[0]?.schema;
	const title = status === "default" ? "Any other status" : status;
	return element("li", {}, element("strong", {}, title), ` ${shown.description ?? ""} `,
		schema && await schemaView(schema, file));
}

async function operation(call, document, file) {
	const nodes = await parameters(call.parameters, file);
	const body = Object.values(call.requestBody?.content ?? {})[0]?.schema;
	if (body) {
		nodes.push(...titled(call.requestBody.required === false ? "Body, optional" : "Body", await schemaView(body, file, true)));
	}
	const answers = Object.entries(call.responses).map(([status, response]) => answer(status, response, document, file));
	return [...nodes, ...titled("Responses", element("ul", { class: "fields" }, ...await Promise.all(answers)))];
}

function showHttp(document, file) {
	const groups = new Map();
	for (const [path, calls] of Object.entries(document.paths)) {
		for (const method of METHODS.filter((one) => calls[one])) {
			const call = calls[method];
			const note = call.security?.length === 0 && "no token";
			groups.set(call.tags[0], [...groups.get(call.tags[0]) ?? [],
				entry(method.toUpperCase(), path, note, () => operation(call, document, file))]);
		}
	}
	for (const [name, entries] of groups) {
		byId("http").append(element("section", { "data-group": name }, element("h3", {}, name), ...entries));
	}
}

async function message(found, file) {
	const nodes = [element("p", {}, found.summary)];
	if (found.payload) {
		const body = await schemaView(found.payload, file, true);
		if (body.firstChild.textContent === found.summary) {
			body.firstChild.remove();
		}
		nodes.push(...titled("Body", body));
	}
	return [...nodes, ...titled("Headers", await schemaView(found.headers, file, true))];
}

function showStomp(document, file) {
	const pointed = (reference) => reference.$ref.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
		.reduce((node, part) => node[part], document);
	for (const [key, channel] of Object.entries(document.channels)) {
		const operations = Object.values(document.operations).filter((one) => one.channel.$ref === `#/channels/${key}`);
		if (operations.length === 0) {
			continue;
		}
		const entries = operations.flatMap((one) => one.messages.map((reference) => {
			const found = pointed(pointed(reference));
			const verb = key === "session" ? (one.action === "receive" ? "client" : "server") : VERBS[one.action];
			const name = verb === "SEND" ? channel.address : found.name;
			const replies = one.reply && `Answers: ${one.reply.messages.map((reply) => pointed(pointed(reply)).name).join(", ")}.`;
			return entry(verb, name, null, async () => [...await message(found, file), replies && element("p", {}, replies)].filter(Boolean));
		}));
		byId("stomp").append(element("section", { "data-group": key },
			element("h3", {}, channel.title, channel.address && element("code", {}, ` ${channel.address}`)),
			channel.description && element("p", { class: "muted" }, channel.description), ...entries));
	}
}

function filter() {
	const wanted = byId("filter").value.trim().toLowerCase();
	for (const group of document.querySelectorAll("[data-group]")) {
		const entries = [...group.querySelectorAll(".entry")];
		entries.forEach((one) => { one.hidden = !one.dataset.name.includes(wanted); });
		group.hidden = entries.every((one) => one.hidden);
	}
}

async function show() {
	const [http, stomp] = await Promise.all(["openapi.json", "asyncapi.json"].map(loadDocument));
	byId("level").textContent = http.info.version;
	showHttp(http, "openapi.json");
	showStomp(stomp, "asyncapi.json");
	byId("filter").addEventListener("input", filter);
}

show().catch((failure) => {
	byId("docs-error").textContent = `The documents cannot be loaded: ${failure.message}. Reload the page.`;
});
