/**
 * The one place that knows where stompjs comes from: the webjar in a browser, the npm package
 * `@stomp/stompjs` in Node. With a bundler, replace this file by a plain re-export.
 */
const inNode = Boolean(globalThis.process?.versions?.node);

/** One file: each more is one more that can fail to load. It is no module and sets a global variable. */
async function bundle() {
	await import("/webjars/stomp__stompjs/7.2.1/bundles/stomp.umd.min.js");
	return globalThis.StompJs;
}

export const { Client } = inNode ? await import("@stomp/stompjs") : await bundle();
