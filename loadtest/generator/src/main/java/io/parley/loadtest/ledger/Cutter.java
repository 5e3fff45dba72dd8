package io.parley.loadtest.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Cuts a share of the connections each time it is run, for a limited number of rounds.
 */
final class Cutter implements Runnable {

	private final List<LedgerClient> clients;

	private final double share;

	private int roundsLeft;

	Cutter(List<LedgerClient> clients, double share, int rounds) {
		this.clients = clients;
		this.share = share;
		this.roundsLeft = rounds;
	}

	@Override
	public void run() {
		if (this.roundsLeft-- <= 0) {
			return;
		}
		List<LedgerClient> chosen = new ArrayList<>(this.clients.stream().filter(LedgerClient::isLive).toList());
		Collections.shuffle(chosen);
		chosen.subList(0, (int) Math.round(chosen.size() * this.share)).forEach(LedgerClient::cut);
	}

}
