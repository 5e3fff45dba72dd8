package io.parley.server.account;

import java.net.URI;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.events.FeatureLevel;
import io.parley.server.account.RegistrationProperties.Mode;
import io.parley.server.error.ErrorCode;
import io.parley.server.issuer.IssuerProperties;
import io.parley.server.issuer.IssuerProperties.Issuer;
import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * How users sign in here: {@code GET /api/auth/options}, which needs no token. Safe for
 * use by many threads.
 */
@RestController
class SignInOptions {

	private final boolean local;

	private final View view;

	SignInOptions(LocalSignInProperties local, RegistrationProperties registration, IssuerProperties issuers) {
		this.local = local.localSignIn();
		if (!this.local && issuers.issuers().isEmpty()) {
			throw new ImpossibleSettingsException("chat.security.local-sign-in is false and chat.security.issuers is "
					+ "empty: nobody could sign in. Add an issuer or allow local sign-ins.");
		}
		Mode mode = this.local ? registration.registration() : Mode.CLOSED;
		this.view = new View(this.local, mode.name().toLowerCase(Locale.ROOT),
				issuers.offered().stream().map(SignInOptions::view).toList(), FeatureLevel.CURRENT);
	}

	/**
	 * The answer.
	 *
	 * @param registration {@code closed}, {@code invite} or {@code open}
	 * @param issuers those that the page can use
	 * @param featureLevel see {@link FeatureLevel}
	 */
	record View(boolean localSignIn, String registration, List<IssuerView> issuers, int featureLevel) {
	}

	/**
	 * An issuer. Without endpoints, the page asks
	 * {@code <issuer>/.well-known/openid-configuration}.
	 */
	@JsonInclude
	record IssuerView(String name, String issuer, String clientId, String scope, @Nullable URI authorizationEndpoint,
			@Nullable URI tokenEndpoint) {
	}

	private static IssuerView view(Issuer issuer) {
		String id = String.valueOf(issuer.issuer());
		return new IssuerView((issuer.name() != null) ? issuer.name() : id, id, String.valueOf(issuer.clientId()),
				issuer.scope(), issuer.authorizationEndpoint(), issuer.tokenEndpoint());
	}

	@GetMapping("/api/auth/options")
	View options() {
		return this.view;
	}

	/**
	 * Requires that users may sign in with passwords of this server.
	 * @throws io.parley.server.error.ChatException {@code not-allowed} if not
	 */
	void requireLocal() {
		if (!this.local) {
			throw ErrorCode.NOT_ALLOWED
				.because("Sign-in with a password is switched off here; GET /api/auth/options lists the issuers.");
		}
	}

}
