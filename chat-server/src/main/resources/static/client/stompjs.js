/**
 * Imports stompjs from the webjar, in place of the file of the same name in the package parley-client. The other files of
 * this folder are those of the package, `clients/typescript/src`: the build copies them.
 */

/** Loads the bundle, because each further file could fail to load. It is not a module and sets a global variable. */
async function bundle() {
	await import("/webjars/stomp__stompjs/7.2.1/bundles/stomp.umd.min.js");
	return globalThis.StompJs;
}

export const { Client } = await bundle();
