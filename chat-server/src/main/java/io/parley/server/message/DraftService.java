package io.parley.server.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.parley.events.Positions;
import io.parley.server.account.AccountStateCache;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.DraftChanged;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.limits.LimitProperties;
import io.parley.server.limits.RateLimits;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.store.draft.Draft;
import io.parley.store.draft.DraftRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Keeps what users have written and not sent, for all their devices. The last write of a
 * draft wins. Safe for use by many threads.
 */
@Component
class DraftService {

	private final LimitProperties limits;

	private final RateLimits rates;

	private final StrictJson json;

	private final AccountStateCache accounts;

	private final RoomAccess access;

	private final ThreadReplies replies;

	private final DraftRepository drafts;

	private final UserEvents userEvents;

	DraftService(LimitProperties limits, RateLimits rates, StrictJson json, AccountStateCache accounts,
			RoomAccess access, ThreadReplies replies, DraftRepository drafts, UserEvents userEvents) {
		this.limits = limits;
		this.rates = rates;
		this.json = json;
		this.accounts = accounts;
		this.access = access;
		this.replies = replies;
		this.drafts = drafts;
		this.userEvents = userEvents;
	}

	List<DraftView> of(String user) {
		return this.drafts.of(user).stream().map(DraftView::of).toList();
	}

	/**
	 * Replaces a draft and tells the user's devices.
	 * @param thread the root; 0 for the room itself
	 * @throws io.parley.server.error.ChatException if the draft is not valid, the user
	 * may not write in the room, or has too many drafts
	 */
	DraftView put(String user, String room, long thread, byte[] body) {
		this.rates.takeDraft(user);
		this.limits.requireMessageFits(body.length);
		Map<String, JsonField> fields = this.json.read(body, ErrorCode.BAD_MESSAGE);
		String draft = UnsentBody.ofDraft(fields);
		String clientId = ChangeDraft.isPresent(fields.get("clientId")) ? MessageDraft.requiredClientId(fields) : null;
		this.accounts.requireMayWrite(user);
		this.access.require(RoomAction.PREPARE, room, user);
		if (thread != Positions.NONE) {
			this.replies.requireRoot(room, thread);
		}
		Draft stored = this.drafts.put(user, room, thread, draft, this.limits.draftsPerUser(), now())
			.orElseThrow(() -> ErrorCode.TOO_MANY_DRAFTS
				.because("You have " + this.limits.draftsPerUser() + " drafts; send or delete one first."));
		tell(user, stored, clientId);
		return DraftView.of(stored);
	}

	/** Removes a draft and tells the user's devices. Idempotent. */
	void remove(String user, String room, long thread) {
		this.rates.takeDraft(user);
		this.access.require(RoomAction.READ, room, user);
		this.drafts.remove(user, room, thread, now()).ifPresent((removed) -> tell(user, removed, null));
	}

	private void tell(String user, Draft draft, @Nullable String clientId) {
		this.userEvents.send(user, new DraftChanged(draft.room(), draft.thread(), draft.version(), draft.changedAt(),
				clientId, draft.body()));
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
