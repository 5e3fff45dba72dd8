import { element } from "./dom.js";
import { marked } from "./mentions.js";

/** Deeper marks are shown as they were written. */
const MAX_DEPTH = 4;
const FENCE = /^```[\w+#-]*$/;
const QUOTE = /^> ?/;
const ITEM = /^(?:[-*]|(\d{1,9})[.)]) +(?=[^\s*-])/;
/** Code, a link with a label, an address, bold, struck, and two ways to write italic; the first one that matches wins. */
const INLINE = new RegExp([
	/`(?<code>[^`\n]+)`/,
	/\[(?<label>[^[\]\n]{1,300})\]\((?<target>(?:https?:\/\/|mailto:)[^\s()<>]+)\)/,
	/(?<![\w/@])(?<address>(?:https?:\/\/|mailto:)[^\s<>"`]+)/,
	/\*\*(?=\S)(?<bold>[^\n]+?)(?<=\S)\*\*/,
	/~~(?=\S)(?<struck>[^\n]+?)(?<=\S)~~/,
	/(?<![\w*])\*(?=[^\s*])(?<star>[^*\n]+?)(?<=\S)\*(?![\w*])/,
	/(?<![\w_])_(?=[^\s_])(?<line>[^_\n]+?)(?<=\S)_(?![\w_])/,
].map(({ source }) => source).join("|"), "g");

/**
 * Returns a text as nodes and strings: a subset of Markdown (bold, italic, struck, code, blocks of code, quotes, lists,
 * links) with its mentions marked. The text never becomes markup, and only http, https and mailto become links.
 */
export function richText(text, mentions, me) {
	const write = (part, depth = 0) => inline(part, depth, (plain) => marked(plain, mentions, me));
	const lines = text.split("\n");
	const nodes = [];
	let plain = [];
	const endPlain = () => {
		if (plain.length > 0) {
			nodes.push(...write(plain.join("\n")));
			plain = [];
		}
	};
	for (let i = 0; i < lines.length;) {
		const { node, end } = block(lines, i, write) ?? {};
		if (node) {
			endPlain();
			nodes.push(node);
			i = end;
		}
		else {
			plain.push(lines[i++]);
		}
	}
	endPlain();
	return nodes;
}

/** Whether one of the nodes begins a line of its own. */
export const hasBlocks = (nodes) => nodes.some((node) => ["PRE", "BLOCKQUOTE", "UL", "OL"].includes(node.tagName));

/** Returns the block that begins with a line, and the line after it; undefined if there is none. */
function block(lines, start, write) {
	if (FENCE.test(lines[start])) {
		const end = lines.indexOf("```", start + 1);
		return end > start + 1
			? { node: element("pre", { tabindex: 0 }, element("code", {}, lines.slice(start + 1, end).join("\n"))), end: end + 1 }
			: undefined;
	}
	if (QUOTE.test(lines[start])) {
		const end = after(lines, start, (line) => QUOTE.test(line));
		return { node: element("blockquote", {}, ...write(lines.slice(start, end).map((line) => line.replace(QUOTE, "")).join("\n"))), end };
	}
	const first = ITEM.exec(lines[start]);
	if (first) {
		const number = first[1];
		const end = after(lines, start, (line) => ITEM.test(line) && (ITEM.exec(line)[1] === undefined) === (number === undefined));
		const items = lines.slice(start, end).map((line) => element("li", {}, ...write(line.replace(ITEM, ""))));
		return { node: element(number ? "ol" : "ul", number ? { start: number } : {}, ...items), end };
	}
	return undefined;
}

function after(lines, start, belongs) {
	const length = lines.slice(start).findIndex((line) => !belongs(line));
	return length < 0 ? lines.length : start + length;
}

function inline(text, depth, plain) {
	if (depth > MAX_DEPTH) {
		return plain(text);
	}
	const nodes = [];
	let end = 0;
	for (const { 0: whole, index, groups } of text.matchAll(INLINE)) {
		const { node, length } = span(whole, groups, (part) => inline(part, depth + 1, plain));
		if (node) {
			nodes.push(...plain(text.slice(end, index)), node);
			end = index + length;
		}
	}
	return [...nodes, ...plain(text.slice(end))].filter((node) => node !== "");
}

/** Returns the node of a match and how much of the text it replaces, or no node. */
function span(whole, { code, label, target, address, bold, struck, star, line }, write) {
	const { length } = whole;
	if (code !== undefined) {
		return { node: element("code", {}, code), length };
	}
	if (target !== undefined) {
		return { node: link(target, looksLikeAddress(label) ? target : label), length };
	}
	if (address !== undefined) {
		const bare = withoutPunctuation(address);
		return { node: link(bare, bare), length: bare.length };
	}
	const [tag, inner] = bold !== undefined ? ["strong", bold] : struck !== undefined ? ["s", struck] : ["em", star ?? line];
	return { node: element(tag, {}, ...write(inner)), length };
}

/** The label of a link must not hide where it leads. */
const looksLikeAddress = (label) => /:\/\/|^www\.|^[\w-]+(\.[\w-]+)+(\/|$)/i.test(label.trim());

/** Returns an address without what belongs to the sentence around it. */
function withoutPunctuation(address) {
	let bare = address.replace(/[.,;:!?'*_~]+$/, "");
	while (bare.endsWith(")") && bare.split(")").length > bare.split("(").length) {
		bare = bare.slice(0, -1).replace(/[.,;:!?'*_~]+$/, "");
	}
	return bare;
}

/** Returns a link, or null for what is no address, or one that shows another server than it leads to. */
function link(address, label) {
	const url = URL.parse(address);
	if (!url || url.username || url.password || (url.protocol !== "mailto:" && !url.host)) {
		return null;
	}
	return element("a", {
		href: url.href, target: "_blank", rel: "noopener noreferrer nofollow", title: label === address ? null : url.href,
		"data-testid": "message-link",
	}, label);
}
