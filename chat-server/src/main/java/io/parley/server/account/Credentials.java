package io.parley.server.account;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * A name and a password.
 *
 * @param username 1 to 32 letters, digits, {@code . _ -}; told apart by case
 * @param password 4 to 72 characters; more than 72 bytes the hash would ignore
 */
record Credentials(
		@NotNull @Pattern(regexp = "[A-Za-z0-9._-]{1,32}",
				message = "must be 1 to 32 letters, digits, dots, underscores or hyphens") String username,
		@NotNull @Size(min = 4, max = 72, message = "must have 4 to 72 characters") String password) {

	@Override
	public String toString() {
		return "Credentials[" + this.username + "]";
	}

}
