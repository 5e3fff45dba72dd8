// Of what the tests use of these packages; they have no declarations of their own.
declare module "ws" {
	export default class WebSocket {
		constructor(url: string, protocols: string[]);
	}
}
declare module "jsdom" {
	export class JSDOM {
		constructor(html: string);
		readonly window: Window & typeof globalThis;
	}
}
declare module "react-dom/client" {
	export function createRoot(element: Element): { render(node: unknown): void; unmount(): void };
}
