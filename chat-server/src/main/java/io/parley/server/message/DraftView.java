package io.parley.server.message;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.parley.store.draft.Draft;
import org.jspecify.annotations.Nullable;

/**
 * A draft as its author sees it.
 *
 * @param thread the root; 0 for the room itself
 * @param draft JSON
 */
record DraftView(String room, long thread, long version, Instant changedAt, @JsonRawValue @Nullable String draft) {

	static DraftView of(Draft draft) {
		return new DraftView(draft.room(), draft.thread(), draft.version(), draft.changedAt(), draft.body());
	}

}
