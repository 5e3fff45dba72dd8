import { element } from "/dom.js";

const FOLDER = "/docs/api/";

const loaded = new Map();

/** Returns a document of the folder, which is loaded once. */
export function loadDocument(file) {
	if (!loaded.has(file)) {
		loaded.set(file, fetch(FOLDER + file).then((response) => {
			if (!response.ok) {
				loaded.delete(file);
				throw new Error(`${file}: ${response.status}`);
			}
			return response.json();
		}));
	}
	return loaded.get(file);
}

/** Follows a reference. Returns the schema, the file that it is in, and its name. */
async function follow(reference, file) {
	const [path, pointer = ""] = reference.split("#");
	const target = path ? new URL(path, new URL(file, "http://host/")).pathname.slice(1) : file;
	const parts = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
	const schema = parts.reduce((node, part) => node[part], await loadDocument(target));
	return { schema, file: target, name: parts.at(-1) ?? schema.title };
}

function typeOf(schema) {
	if (schema.const !== undefined) {
		return JSON.stringify(schema.const);
	}
	if (schema.enum) {
		return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
	}
	return [schema.type ?? "any"].flat().join(" | ") + (schema.format ? ` (${schema.format})` : "");
}

function limits(schema) {
	return ["pattern", "minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "maxItems", "default"]
		.filter((name) => schema[name] !== undefined && schema[name] !== Number.MAX_SAFE_INTEGER && !(name === "minLength" && schema[name] === 0))
		.map((name) => `${name} ${schema[name]}`).join(", ");
}

/** Returns a part that is shown when it is opened: schemas may contain themselves. */
function part(title, make) {
	const body = element("div");
	const node = element("details", { class: "schema" }, element("summary", {}, title), body);
	node.addEventListener("toggle", async () => {
		if (node.open && body.childElementCount === 0) {
			body.append(await make());
		}
	});
	return node;
}

async function fields(schema, file) {
	const required = new Set(schema.required);
	const items = await Promise.all(Object.entries(schema.properties).map(async ([name, property]) => element("li", {},
		element("code", {}, name), required.has(name) ? " " : " optional, ", await schemaView(property, file))));
	if (schema.additionalProperties === true) {
		items.push(element("li", {}, "any other fields"));
	}
	return element("ul", { class: "fields" }, ...items);
}

/**
 * Shows a schema: its type, or its fields.
 *
 * @param open whether fields are shown at once, or when somebody opens them
 */
export async function schemaView(schema, file, open = false) {
	if (schema.$ref) {
		const target = await follow(schema.$ref, file);
		const described = { ...target.schema, description: schema.description ?? target.schema.description };
		return target.schema.properties || target.schema.oneOf
			? shown(described, target.file, target.name, open) : schemaView(described, target.file, open);
	}
	if (schema.oneOf?.length === 2 && schema.oneOf[1].type === "null") {
		return element("span", {}, await schemaView(schema.oneOf[0], file, open), " or ", element("code", {}, "null"));
	}
	return schema.properties || schema.oneOf ? shown(schema, file, typeOf(schema), open) : simple(schema, file);
}

async function shown(schema, file, title, open) {
	const view = async () => {
		const nodes = schema.properties ? [await fields(schema, file)]
			: await Promise.all(schema.oneOf.map(async (one) => element("div", {}, await schemaView(one, file))));
		return element("div", {}, schema.description && element("p", { class: "muted" }, schema.description), ...nodes);
	};
	return open ? view() : part(schema.oneOf ? "one of" : title, view);
}

async function simple(schema, file) {
	const text = [limits(schema), schema.description].filter(Boolean).join(". ");
	const inner = schema.items ?? (schema.additionalProperties instanceof Object ? schema.additionalProperties : null);
	return element("span", {}, element("code", {}, schema.items ? "array of" : typeOf(schema)),
		text && element("span", { class: "muted" }, ` ${text}`), inner && Object.keys(inner).length > 0 && " ",
		inner && Object.keys(inner).length > 0 && await schemaView(inner, file));
}
