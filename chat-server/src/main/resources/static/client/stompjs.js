/**
 * The one place that knows where stompjs comes from: the webjar in a browser, the npm package
 * `@stomp/stompjs` in Node. With a bundler, replace this file by a plain re-export.
 */
const inNode = Boolean(globalThis.process?.versions?.node);

export const { Client } = await import(inNode ? "@stomp/stompjs" : "/webjars/stomp__stompjs/7.2.1/esm6/index.js");
