const SVG = "http://www.w3.org/2000/svg";
const TONES = 6;

export const byId = (id) => document.getElementById(id);

/**
 * Creates an element with attributes and children. Strings become text nodes, never markup; `on…` attributes
 * become listeners; `false`, `null` and `undefined` are left out.
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

/** Shows the initial of a name; the colour depends only on the name. */
export function paintAvatar(node, name) {
	const tone = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % TONES;
	node.dataset.tone = tone;
	node.textContent = [...name][0]?.toUpperCase() ?? "?";
	return node;
}

/**
 * Updates the children of `parent` to match `items`, each `{key, signature, render}`. A node whose signature has not
 * changed is not touched, which preserves the scroll position and the selection and does not disturb screen readers.
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
