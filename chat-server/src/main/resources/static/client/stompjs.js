/**
 * Imports stompjs: from the webjar in a browser, from the npm package `@stomp/stompjs` in Node. With a bundler,
 * replace this file with a plain re-export.
 */
const inNode = Boolean(globalThis.process?.versions?.node);

/** Loads the bundle, because each further file could fail to load. It is not a module and sets a global variable. */
async function bundle() {
	await import("/webjars/stomp__stompjs/7.2.1/bundles/stomp.umd.min.js");
	return globalThis.StompJs;
}

export const { Client } = inNode ? await import("@stomp/stompjs") : await bundle();
