import type { Client, Room, State, TimelineMessage } from "../index.js";

/** Returns the state of a client, and renders again when it changes. */
export declare function useClientState(client: Client): State;

/** Returns the messages of a room as they read now, and renders again when they change. Open the room with `after: "newest"`. */
export declare function useMessages(room: Room, options?: { limit?: number }): readonly TimelineMessage[];
