package io.parley.loadtest.user;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.check.RoomLedger;

/**
 * A user of this run and the room of its sessions.
 *
 * @param token a JWT for CONNECT
 * @param tokenSeconds the lifetime of the token in seconds
 */
public record Account(String username, String token, long tokenSeconds, RoomLedger room) {

	/**
	 * Returns the same users in the same rooms, with empty ledgers.
	 */
	public static List<Account> withEmptyLedgers(List<Account> accounts) {
		Map<String, RoomLedger> rooms = new HashMap<>();
		return accounts.stream()
			.map((account) -> new Account(account.username, account.token, account.tokenSeconds,
					rooms.computeIfAbsent(account.room.id(), RoomLedger::new)))
			.toList();
	}

}
