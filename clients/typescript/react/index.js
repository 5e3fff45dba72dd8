// @ts-check
/** @import { Client, Room } from "../index.d.ts" */
import { useEffect, useState, useSyncExternalStore } from "react";
import { Timeline } from "../src/timeline.js";

/** @type {readonly never[]} */
const NOTHING = [];
const never = () => () => {};

/**
 * Returns the state of a client, and renders again when it changes.
 * @param {Client} client
 */
export function useClientState(client) {
	return useSyncExternalStore((changed) => client.on("state", changed), () => client.state, () => client.state);
}

/**
 * Returns the messages of a room as they read now, and renders again when they change.
 * @param {Room} room opened with `after: "newest"`
 * @param {{limit?: number}} [options]
 */
export function useMessages(room, { limit } = {}) {
	const [timeline, setTimeline] = useState(/** @type {Timeline | undefined} */ (undefined));
	useEffect(() => {
		const opened = new Timeline(room, { limit });
		setTimeline(opened);
		return () => opened.close();
	}, [room, limit]);
	const read = () => timeline?.messages ?? NOTHING;
	return useSyncExternalStore(timeline?.subscribe ?? never, read, read);
}
