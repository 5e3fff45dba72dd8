package io.parley.store.account;

import java.util.Arrays;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The state of an account: what it may be used for. The names are in lower case in the
 * database and on the wire.
 */
public enum AccountState {

	/** The user may do everything. */
	ACTIVE,

	/** The user may sign in, read, leave rooms and sign out, but not write. */
	SUSPENDED,

	/** The user may not sign in. The name stays taken. */
	DISABLED;

	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the state with that name.
	 * @throws IllegalArgumentException if there is none
	 */
	@JsonCreator
	public static AccountState ofWireName(String wireName) {
		return Arrays.stream(values())
			.filter((state) -> state.wireName().equals(wireName))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no account state '" + wireName + "': use active, suspended or disabled"));
	}

}
