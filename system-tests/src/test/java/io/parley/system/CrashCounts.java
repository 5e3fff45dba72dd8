package io.parley.system;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The counts of Jepsen's queue checker.
 *
 * @param attempted sent at least once
 * @param acknowledged confirmed by a receipt
 * @param ok in the history
 * @param lost acknowledged and not in the history
 * @param unexpected in the history and never sent
 * @param recovered in the history and never acknowledged, which is allowed
 * @param duplicated more than once in the history
 */
record CrashCounts(int attempted, int acknowledged, int ok, int lost, int unexpected, int recovered, int duplicated) {

	static CrashCounts of(Ledger ledger, Collection<String> stored) {
		Set<String> found = new HashSet<>(stored);
		return new CrashCounts(ledger.attempted().size(), ledger.acknowledged().size(), found.size(),
				without(ledger.acknowledged(), found).size(), without(found, ledger.attempted()).size(),
				without(found, ledger.acknowledged()).size(), stored.size() - found.size());
	}

	private static Set<String> without(Set<String> all, Set<String> some) {
		Set<String> rest = new HashSet<>(all);
		rest.removeAll(some);
		return rest;
	}

}
