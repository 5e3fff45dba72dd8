package io.parley.server.account;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/auth}: register, sign in, refresh. */
@RestController
@RequestMapping("/api/auth")
class AuthController {

	private final Accounts accounts;

	private final Tokens tokens;

	AuthController(Accounts accounts, Tokens tokens) {
		this.accounts = accounts;
		this.tokens = tokens;
	}

	@PostMapping("/register")
	@ResponseStatus(HttpStatus.CREATED)
	Registered register(@Valid @RequestBody Credentials credentials) {
		this.accounts.register(credentials.username(), credentials.password());
		return new Registered(credentials.username());
	}

	@PostMapping("/login")
	Tokens.Grant login(@Valid @RequestBody Credentials credentials) {
		this.accounts.authenticate(credentials.username(), credentials.password());
		return this.tokens.grant(credentials.username());
	}

	@PostMapping("/refresh")
	Tokens.Grant refresh(@Valid @RequestBody Refresh refresh) {
		return this.tokens.grant(this.tokens.identifyRefresh(refresh.refreshToken()).user());
	}

	record Registered(String username) {
	}

	record Refresh(@NotNull String refreshToken) {
	}

}
