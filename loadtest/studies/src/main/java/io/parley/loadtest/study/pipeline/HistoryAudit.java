package io.parley.loadtest.study.pipeline;

import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.user.RestApi;
import tools.jackson.databind.JsonNode;

/**
 * Reads the history of rooms page by page and keeps only bits of it in memory. Safe for
 * use by many threads with different rooms.
 */
final class HistoryAudit {

	/**
	 * The largest page that a server can be configured to return.
	 */
	static final int PAGE = 1000;

	final LongAdder read = new LongAdder();

	/**
	 * Messages that are in the history twice.
	 */
	final LongAdder doubled = new LongAdder();

	/**
	 * Events that do not follow the previous event, by position or by number.
	 */
	final LongAdder misplaced = new LongAdder();

	/** Messages that this run did not send. */
	final LongAdder foreign = new LongAdder();

	private final RestApi api;

	private final String run;

	HistoryAudit(RestApi api, String run) {
		this.api = api;
		this.run = run;
	}

	/**
	 * The position and number of the last event read in a room.
	 */
	private record Place(long position, long number) {
	}

	void read(String token, String room, PairLedger ledger) {
		Place place = new Place(0, 0);
		for (JsonNode page = page(token, room, place); !page.isEmpty(); page = page(token, room, place)) {
			for (JsonNode event : page) {
				place = event(event, place, ledger);
			}
			Interrupt.check();
		}
	}

	private JsonNode page(String token, String room, Place place) {
		return this.api.page(token, room, place.position(), PAGE);
	}

	private Place event(JsonNode event, Place before, PairLedger ledger) {
		boolean message = event.path("type").asString().equals("message.posted");
		Place place = new Place(event.path("position").asLong(), event.path("number").asLong());
		if (place.position() <= before.position() || event.path("prev").asLong() != before.position()
				|| place.number() != before.number() + (message ? 1 : 0)) {
			this.misplaced.increment();
		}
		if (message) {
			message(event, place.position(), ledger);
		}
		return place;
	}

	private void message(JsonNode event, long position, PairLedger ledger) {
		LoadMessage sent = LoadMessage.parse(event.path("text").asString());
		this.read.increment();
		if (sent == null || !event.path("clientId").asString().equals(this.run + "-" + sent.sequence())) {
			this.foreign.increment();
		}
		else if (!ledger.stored(sent.sequence(), position)) {
			this.doubled.increment();
		}
	}

}
