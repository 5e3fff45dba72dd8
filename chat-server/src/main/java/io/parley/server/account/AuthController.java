package io.parley.server.account;

import io.parley.server.account.SignInLimits.Candidate;
import io.parley.server.limits.ClientAddresses;
import io.parley.store.account.Account;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Registers users, signs them in and refreshes their tokens: {@code /api/auth}. */
@RestController
@RequestMapping("/api/auth")
class AuthController {

	private final AccountService accounts;

	private final Tokens tokens;

	private final SignInLimits limits;

	private final ClientAddresses addresses;

	AuthController(AccountService accounts, Tokens tokens, SignInLimits limits, ClientAddresses addresses) {
		this.accounts = accounts;
		this.tokens = tokens;
		this.limits = limits;
		this.addresses = addresses;
	}

	/**
	 * @param username 1 to 32 letters, digits, {@code . _ -}; case-sensitive
	 * @param password see {@link PasswordRules}
	 */
	record NewAccount(@NotNull @Pattern(regexp = NAME, message = NAME_MESSAGE) String username,
			@NotNull @Size(max = MAX_SECRET, message = "is too long") String password) {

		@Override
		public String toString() {
			return "NewAccount[" + this.username + "]";
		}

	}

	/**
	 * @param device the device token from an earlier sign-in on this device, or null
	 */
	record SignIn(@NotNull @Pattern(regexp = NAME, message = NAME_MESSAGE) String username,
			@NotNull @Size(max = MAX_SECRET, message = "is too long") String password,
			@Nullable @Size(max = MAX_SECRET, message = "is too long") String device) {

		@Override
		public String toString() {
			return "SignIn[" + this.username + "]";
		}

	}

	private static final String NAME = "[A-Za-z0-9._-]{1,32}";

	private static final String NAME_MESSAGE = "must be 1 to 32 letters, digits, dots, underscores or hyphens";

	private static final int MAX_SECRET = 1_024;

	record Registered(String username) {
	}

	record Refresh(@NotNull String refreshToken) {
	}

	@PostMapping("/register")
	@ResponseStatus(HttpStatus.CREATED)
	Registered register(@Valid @RequestBody NewAccount account, HttpServletRequest request) {
		this.limits.takeRegistration(request.getRemoteAddr());
		this.accounts.register(account.username(), account.password(), address(request));
		return new Registered(account.username());
	}

	@PostMapping("/login")
	Tokens.Grant login(@Valid @RequestBody SignIn signIn, HttpServletRequest request) {
		String device = this.tokens.identifyDevice(signIn.device(), signIn.username());
		Account account = this.accounts.authenticate(new Candidate(signIn.username(), address(request), device),
				signIn.password());
		return this.tokens.grant(account).withDevice(this.tokens.issueDevice(account));
	}

	/**
	 * Queries the account again, because a token is valid only while its account exists.
	 */
	@PostMapping("/refresh")
	Tokens.Grant refresh(@Valid @RequestBody Refresh refresh) {
		Tokens.Identity identity = this.tokens.identifyRefresh(refresh.refreshToken());
		this.limits.takeRefresh(identity.user());
		return this.tokens.renew(identity);
	}

	private String address(HttpServletRequest request) {
		return this.addresses.key(request.getRemoteAddr());
	}

}
