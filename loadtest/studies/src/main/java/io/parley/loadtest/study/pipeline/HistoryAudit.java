package io.parley.loadtest.study.pipeline;

import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import tools.jackson.databind.JsonNode;

/**
 * Reads the history of rooms page by page and keeps only bits of it in memory. Safe for
 * use by many threads with different rooms.
 */
final class HistoryAudit {

	/** The largest page that a server can be configured to return. */
	private static final int PAGE = 1000;

	final LongAdder doubled = new LongAdder();

	/** Events that do not follow the previous event, by position or by number. */
	final LongAdder misplaced = new LongAdder();

	/** Messages that this run did not send. */
	final LongAdder foreign = new LongAdder();

	private final RestApi api;

	private final String run;

	HistoryAudit(RestApi api, String run) {
		this.api = api;
		this.run = run;
	}

	private record Cursor(long position, long number) {
	}

	void read(Account account, PairLedger ledger) {
		Cursor cursor = new Cursor(0, 0);
		for (JsonNode page = page(account, cursor); !page.isEmpty(); page = page(account, cursor)) {
			for (JsonNode event : page) {
				cursor = event(event, cursor, ledger);
			}
			Interrupt.check();
		}
	}

	private JsonNode page(Account account, Cursor cursor) {
		return this.api.page(account.token(), account.room().id(), cursor.position(), PAGE);
	}

	private Cursor event(JsonNode event, Cursor before, PairLedger ledger) {
		boolean message = event.path("type").asString().equals("message.posted");
		Cursor cursor = new Cursor(event.path("position").asLong(), event.path("number").asLong());
		if (cursor.position() <= before.position() || event.path("prev").asLong() != before.position()
				|| cursor.number() != before.number() + (message ? 1 : 0)) {
			this.misplaced.increment();
		}
		if (message) {
			message(event, cursor.position(), ledger);
		}
		return cursor;
	}

	private void message(JsonNode event, long position, PairLedger ledger) {
		LoadMessage sent = LoadMessage.parse(event.path("text").asString());
		if (sent == null || !event.path("clientId").asString().equals(this.run + "-" + sent.sequence())) {
			this.foreign.increment();
		}
		else if (!ledger.stored(sent.sequence(), position)) {
			this.doubled.increment();
		}
	}

}
