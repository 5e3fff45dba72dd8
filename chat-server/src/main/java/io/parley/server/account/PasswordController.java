package io.parley.server.account;

import io.parley.server.account.SignInLimits.Candidate;
import io.parley.server.limits.ClientAddresses;
import io.parley.server.limits.RateLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Changes the user's password, and sets it with the token of a reset link. */
@RestController
class PasswordController {

	private final PasswordService passwords;

	private final ClientAddresses addresses;

	private final RateLimits rates;

	PasswordController(PasswordService passwords, ClientAddresses addresses, RateLimits rates) {
		this.passwords = passwords;
		this.addresses = addresses;
		this.rates = rates;
	}

	record Change(@NotNull @Size(max = AuthController.MAX_SECRET, message = "is too long") String current,
			@NotNull @Size(max = AuthController.MAX_SECRET, message = "is too long") String password) {

		@Override
		public String toString() {
			return "Change";
		}

	}

	record Reset(@NotNull @Size(max = AuthController.MAX_SECRET, message = "is too long") String token,
			@NotNull @Size(max = AuthController.MAX_SECRET, message = "is too long") String password) {

		@Override
		public String toString() {
			return "Reset";
		}

	}

	@PutMapping("/api/me/password")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void change(@Valid @RequestBody Change change, BearerUser user, HttpServletRequest request) {
		this.rates.takeSignal(user.getName());
		this.passwords.change(new Candidate(user.getName(), address(request), null), user.signIn(), change.current(),
				change.password());
	}

	@PostMapping("/api/auth/reset")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void reset(@Valid @RequestBody Reset reset, HttpServletRequest request) {
		this.passwords.reset(new LinkToken(reset.token()), reset.password(), address(request));
	}

	private String address(HttpServletRequest request) {
		return this.addresses.key(request.getRemoteAddr());
	}

}
