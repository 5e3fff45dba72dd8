package io.parley.server.account;

import java.time.Instant;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.account.SignIn;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells a user who they are, and lists and ends their sign-ins: {@code /api/me}. Sign-ins
 * with external issuers are not listed.
 */
@RestController
@RequestMapping("/api/me")
class SignInController {

	private final SignInService signIns;

	private final RateLimits rates;

	SignInController(SignInService signIns, RateLimits rates) {
		this.signIns = signIns;
		this.rates = rates;
	}

	/**
	 * A signed-in device.
	 *
	 * @param current whether the request came from it
	 */
	record View(String id, String device, Instant createdAt, Instant usedAt, Instant expiresAt, boolean current) {
	}

	/** A client with a token of an external issuer does not know the user name. */
	record Me(String username) {
	}

	@GetMapping
	Me me(BearerUser user) {
		return new Me(user.getName());
	}

	@GetMapping("/sign-ins")
	List<View> live(BearerUser user) {
		String current = user.signIn();
		return this.signIns.live(user.getName()).stream().map((signIn) -> view(signIn, current)).toList();
	}

	private static View view(SignIn signIn, String current) {
		return new View(signIn.getId(), signIn.getDevice(), signIn.getCreatedAt(), signIn.getUsedAt(),
				signIn.getExpiresAt(), signIn.getId().equals(current));
	}

	@DeleteMapping("/sign-ins/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void end(@PathVariable String id, BearerUser user) {
		this.rates.takeSignal(user.getName());
		if (!this.signIns.end(user.getName(), id, SignInEnd.SIGNED_OUT)) {
			throw ErrorCode.NOT_FOUND.because("You have no such sign-in; GET /api/me/sign-ins lists them.");
		}
	}

	@DeleteMapping("/sign-ins")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void endOthers(BearerUser user) {
		this.rates.takeSignal(user.getName());
		this.signIns.endOthers(user.getName(), user.signIn(), SignInEnd.SIGNED_OUT);
	}

}
