const SVG = "http://www.w3.org/2000/svg";
const TONES = 6;

export const byId = (id) => document.getElementById(id);

/**
 * An element with attributes and children. Strings become text nodes, never markup; `on…` attributes
 * are listeners; `false`, `null` and `undefined` are left out.
 */
export function element(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on")) {
			node.addEventListener(name.slice(2), value);
		}
		else if (value !== false && value !== null && value !== undefined) {
			node.setAttribute(name, value);
		}
	}
	node.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
	return node;
}

export function icon(path) {
	const svg = document.createElementNS(SVG, "svg");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("aria-hidden", "true");
	svg.append(document.createElementNS(SVG, "path"));
	svg.firstChild.setAttribute("d", path);
	return svg;
}

/** Writes a name's initial, in the colour that this name always has. */
export function paintAvatar(node, name) {
	const tone = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % TONES;
	node.dataset.tone = tone;
	node.textContent = [...name][0]?.toUpperCase() ?? "?";
	return node;
}

/**
 * Makes the children of `parent` those of `items`, `{key, signature, render}` each. A node stays, untouched,
 * while its signature stays: scroll position, selection and screen readers are not disturbed.
 */
export function reconcile(parent, items) {
	const old = new Map(Array.from(parent.children, (node) => [node.dataset.key, node]));
	let next = parent.firstChild;
	for (const { key, signature, render } of items) {
		let node = old.get(key);
		old.delete(key);
		if (node?.signature !== signature) {
			const fresh = Object.assign(render(), { signature });
			fresh.dataset.key = key;
			if (node) {
				next = node === next ? fresh : next;
				node.replaceWith(fresh);
			}
			node = fresh;
		}
		if (node === next) {
			next = next.nextSibling;
		}
		else {
			parent.insertBefore(node, next);
		}
	}
	old.forEach((node) => node.remove());
}
