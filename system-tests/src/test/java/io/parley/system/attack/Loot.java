package io.parley.system.attack;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Data of the honest users that attackers have received. */
final class Loot {

	/** Part of every message of the honest users. */
	static final String SECRET = "between us two";

	private final List<String> leaks = new CopyOnWriteArrayList<>();

	void look(String received) {
		if (received.contains(SECRET)) {
			this.leaks.add(received);
		}
	}

	List<String> leaks() {
		return this.leaks;
	}

}
