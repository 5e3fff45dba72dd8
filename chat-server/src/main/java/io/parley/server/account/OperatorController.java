package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.server.audit.Actor;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.account.Account;
import io.parley.store.account.AccountInvite;
import io.parley.store.account.AccountState;
import io.parley.store.account.SignIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, creates and changes accounts and invitations, for operators. */
@RestController
@RequestMapping("/api/operator")
class OperatorController {

	private static final int MAX_PAGE = 500;

	private static final int MAX_USES = 1_000;

	private static final int MAX_INVITE_SECONDS = 30 * 24 * 3_600;

	private static final int DEFAULT_INVITE_SECONDS = 7 * 24 * 3_600;

	private final AccountAdministration accounts;

	private final InviteAdministration invites;

	private final RateLimits rates;

	OperatorController(AccountAdministration accounts, InviteAdministration invites, RateLimits rates) {
		this.accounts = accounts;
		this.invites = invites;
		this.rates = rates;
	}

	record User(String username, AccountState state, boolean operator, Instant createdAt) {

		static User of(Account account) {
			return new User(account.getUsername(), account.getState(), account.isOperator(), account.getCreatedAt());
		}

	}

	/**
	 * @param next pass it as {@code after} for the next page; null on the last page
	 */
	record Page(List<User> users, @Nullable String next) {
	}

	/** A signed-in device of a user. */
	record Device(String id, String device, Instant createdAt, Instant usedAt, Instant expiresAt) {

		static Device of(SignIn signIn) {
			return new Device(signIn.getId(), signIn.getDevice(), signIn.getCreatedAt(), signIn.getUsedAt(),
					signIn.getExpiresAt());
		}

	}

	record NewUser(
			@NotNull @Pattern(regexp = AuthController.NAME, message = AuthController.NAME_MESSAGE) String username) {
	}

	record Change(@Nullable AccountState state, @Nullable Boolean operator) {
	}

	/**
	 * A link with which a user sets a password.
	 *
	 * @param token shown only here
	 * @param path the link without the address of the server
	 */
	record Reset(String username, String token, String path, Instant expiresAt) {

		static Reset of(String username, AccountAdministration.Link link) {
			String token = link.token().value();
			return new Reset(username, token, "/account.html#reset=" + token, link.expiresAt());
		}

		@Override
		public String toString() {
			return "Reset[" + this.username + "]";
		}

	}

	/**
	 * @param uses how many accounts may be registered with it; one if null
	 * @param expiresIn lifetime in seconds; seven days if null
	 */
	record NewInvite(@Nullable @Positive @Max(MAX_USES) Integer uses,
			@Nullable @Positive @Max(MAX_INVITE_SECONDS) Integer expiresIn) {
	}

	/**
	 * A link with which people register.
	 *
	 * @param token shown only here
	 * @param path the link without the address of the server
	 */
	record Invite(String id, String token, String path, int uses, Instant expiresAt) {

		@Override
		public String toString() {
			return "Invite[" + this.id + "]";
		}

	}

	@GetMapping("/users")
	Page users(@RequestParam(defaultValue = "") String search, @RequestParam @Nullable String state,
			@RequestParam(defaultValue = "") String after, @RequestParam(defaultValue = "100") int limit) {
		if (limit < 1 || limit > MAX_PAGE) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be 1 to " + MAX_PAGE + ".");
		}
		List<User> page = this.accounts.page(search, (state != null) ? parse(state) : null, after, limit)
			.stream()
			.map(User::of)
			.toList();
		return new Page(page, (page.size() == limit) ? page.getLast().username() : null);
	}

	private static AccountState parse(String state) {
		try {
			return AccountState.ofWireName(state);
		}
		catch (IllegalArgumentException ex) {
			throw ErrorCode.BAD_REQUEST.because("'state' must be active, suspended or disabled.");
		}
	}

	@GetMapping("/users/{username}")
	User user(@PathVariable String username) {
		return User.of(this.accounts.get(username));
	}

	@PostMapping("/users")
	@ResponseStatus(HttpStatus.CREATED)
	Reset create(@Valid @RequestBody NewUser user, HttpServletRequest request) {
		return Reset.of(user.username(), this.accounts.create(operator(request), user.username()));
	}

	@PatchMapping("/users/{username}")
	User change(@PathVariable String username, @RequestBody Change change, HttpServletRequest request) {
		if (change.state() == null && change.operator() == null) {
			throw ErrorCode.BAD_REQUEST.because("The body must have 'state', 'operator' or both.");
		}
		return User.of(this.accounts.change(operator(request), username, change.state(), change.operator()));
	}

	@PostMapping("/users/{username}/reset")
	@ResponseStatus(HttpStatus.CREATED)
	Reset reset(@PathVariable String username, HttpServletRequest request) {
		return Reset.of(username, this.accounts.createReset(operator(request), username));
	}

	@GetMapping("/users/{username}/sign-ins")
	List<Device> signIns(@PathVariable String username) {
		return this.accounts.signIns(username).stream().map(Device::of).toList();
	}

	@DeleteMapping("/users/{username}/sign-ins/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void endSignIn(@PathVariable String username, @PathVariable String id, HttpServletRequest request) {
		this.accounts.endSignIn(operator(request), username, id);
	}

	@DeleteMapping("/users/{username}/sign-ins")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void endSignIns(@PathVariable String username, HttpServletRequest request) {
		this.accounts.endSignIns(operator(request), username);
	}

	@GetMapping("/invites")
	List<AccountInvite> invites() {
		return this.invites.valid();
	}

	@PostMapping("/invites")
	@ResponseStatus(HttpStatus.CREATED)
	Invite invite(@Valid @RequestBody NewInvite wanted, HttpServletRequest request) {
		Integer uses = wanted.uses();
		Integer seconds = wanted.expiresIn();
		InviteAdministration.NewInvite made = this.invites.create(operator(request), (uses != null) ? uses : 1,
				Duration.ofSeconds((seconds != null) ? seconds : DEFAULT_INVITE_SECONDS));
		String token = made.token().value();
		return new Invite(made.invite().id(), token, "/account.html#invite=" + token, made.invite().maxUses(),
				made.invite().expiresAt());
	}

	@DeleteMapping("/invites/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void revoke(@PathVariable String id, HttpServletRequest request) {
		this.invites.revoke(operator(request), id);
	}

	/** Returns who changes something, and takes the change from their allowance. */
	private Actor operator(HttpServletRequest request) {
		Actor operator = Actor.of(request);
		this.rates.takeSignal(String.valueOf(operator.username()));
		return operator;
	}

}
