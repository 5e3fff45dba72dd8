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

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Registers users, signs them in and out, and refreshes their tokens: {@code /api/auth}.
 */
@RestController
@RequestMapping("/api/auth")
class AuthController {

	private final AccountService accounts;

	private final Registration registration;

	private final Tokens tokens;

	private final SignInService signIns;

	private final SignInLimits limits;

	private final ClientAddresses addresses;

	private final SignInOptions options;

	AuthController(AccountService accounts, Registration registration, Tokens tokens, SignInService signIns,
			SignInLimits limits, ClientAddresses addresses, SignInOptions options) {
		this.accounts = accounts;
		this.registration = registration;
		this.tokens = tokens;
		this.signIns = signIns;
		this.limits = limits;
		this.addresses = addresses;
		this.options = options;
	}

	/**
	 * @param username 1 to 32 letters, digits, {@code . _ -}; case-sensitive
	 * @param password see {@link PasswordRules}
	 * @param invite the token of an invitation link, or null
	 */
	record NewAccount(@NotNull @Pattern(regexp = NAME, message = NAME_MESSAGE) String username,
			@NotNull @Size(max = MAX_SECRET, message = "is too long") String password,
			@Nullable @Size(max = MAX_SECRET, message = "is too long") String invite) {

		@Override
		public String toString() {
			return "NewAccount[" + this.username + "]";
		}

	}

	/**
	 * @param device the device token from an earlier sign-in on this device, or null
	 * @param deviceName a name for the list of signed-in devices; null: the header
	 * {@code User-Agent}
	 */
	record SignIn(@NotNull @Pattern(regexp = NAME, message = NAME_MESSAGE) String username,
			@NotNull @Size(max = MAX_SECRET, message = "is too long") String password,
			@Nullable @Size(max = MAX_SECRET, message = "is too long") String device,
			@Nullable @Size(max = MAX_DEVICE_NAME, message = "is too long") String deviceName) {

		@Override
		public String toString() {
			return "SignIn[" + this.username + "]";
		}

	}

	/** Not "." and "..": they cannot be sent as segments of a path. */
	static final String NAME = "(?!\\.{1,2}$)[A-Za-z0-9._-]{1,32}";

	/** Control and format characters, such as those that change the direction of text. */
	private static final java.util.regex.Pattern NOT_PRINTABLE = java.util.regex.Pattern
		.compile("[\\p{Cc}\\p{Cf}\\p{Cs}]+");

	static final String NAME_MESSAGE = "must be 1 to 32 letters, digits, dots, underscores or hyphens, but not '.' or '..'";

	static final int MAX_SECRET = 1_024;

	private static final int MAX_DEVICE_NAME = 64;

	record Registered(String username) {
	}

	record Refresh(@NotNull String refreshToken) {
	}

	@PostMapping("/register")
	@ResponseStatus(HttpStatus.CREATED)
	Registered register(@Valid @RequestBody NewAccount account, HttpServletRequest request) {
		this.options.requireLocal();
		this.limits.takeRegistration(request.getRemoteAddr());
		this.registration.register(account.username(), account.password(), account.invite(), address(request));
		return new Registered(account.username());
	}

	@PostMapping("/login")
	Tokens.Grant login(@Valid @RequestBody SignIn signIn, HttpServletRequest request) {
		this.options.requireLocal();
		String device = this.tokens.identifyDevice(signIn.device(), signIn.username());
		Account account = this.accounts.authenticate(new Candidate(signIn.username(), address(request), device),
				signIn.password());
		return this.tokens.grant(this.signIns.start(account, deviceName(signIn, request)))
			.withDevice(this.tokens.issueDevice(account));
	}

	/** Returns the name of a device without characters that could deceive its reader. */
	private static String deviceName(SignIn signIn, HttpServletRequest request) {
		String given = (signIn.deviceName() != null) ? signIn.deviceName() : request.getHeader(HttpHeaders.USER_AGENT);
		String name = (given != null) ? NOT_PRINTABLE.matcher(given).replaceAll(" ").strip() : "";
		int length = Math.min(name.codePointCount(0, name.length()), io.parley.store.account.SignIn.MAX_DEVICE);
		return name.substring(0, name.offsetByCodePoints(0, length));
	}

	@PostMapping("/refresh")
	Tokens.Grant refresh(@Valid @RequestBody Refresh refresh) {
		this.options.requireLocal();
		Tokens.Refresh token = this.tokens.identifyRefresh(refresh.refreshToken());
		this.limits.takeRefresh(token.user());
		return this.tokens.grant(this.signIns.refresh(token.signIn(), token.user(), token.generation()));
	}

	/** Ends the sign-in of the access token. */
	@PostMapping("/logout")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void logout(BearerUser user) {
		this.signIns.end(user.identity());
	}

	private String address(HttpServletRequest request) {
		return this.addresses.key(request.getRemoteAddr());
	}

}
