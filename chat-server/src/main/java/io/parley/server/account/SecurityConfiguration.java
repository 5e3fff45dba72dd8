package io.parley.server.account;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.parley.server.error.ChatException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthenticatedAuthorizationManager;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManagers;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/**
 * Defines who may call which HTTP endpoint. The API requires a bearer token. The
 * WebSocket endpoint is open, because its token arrives with CONNECT. There are no
 * cookies, so CSRF protection is not needed.
 */
@Configuration
class SecurityConfiguration {

	private static final String LOGOUT = "/api/auth/logout";

	private static final String DEMO = "/api/demo";

	/** The authority of users who are not suspended. */
	private static final String WRITER = "WRITER";

	/** The authority of operators who are not suspended. */
	private static final String OPERATOR = "OPERATOR";

	private static final BearerTokenResolver BEARER = new DefaultBearerTokenResolver();

	private final UnauthorizedEntryPoint unauthorized;

	private final ForbiddenHandler forbidden;

	private final AccountStateCache states;

	private final OriginProperties origins;

	private final Tokens tokens;

	SecurityConfiguration(UnauthorizedEntryPoint unauthorized, ForbiddenHandler forbidden, AccountStateCache states,
			OriginProperties origins, Tokens tokens) {
		this.unauthorized = unauthorized;
		this.forbidden = forbidden;
		this.states = states;
		this.origins = origins;
		this.tokens = tokens;
	}

	/**
	 * Disables the security filters for the WebSocket endpoint. It needs no decision
	 * here, and after a restart all clients reconnect at once.
	 */
	@Bean
	@Order(0)
	SecurityFilterChain webSocket() {
		return new DefaultSecurityFilterChain(PathPatternRequestMatcher.withDefaults().matcher("/ws"));
	}

	/**
	 * Disables observations of the security filters: one per filter and request would
	 * cost more than the filters do.
	 */
	@Bean
	SecurityObservationSettings observations() {
		return SecurityObservationSettings.noObservations();
	}

	@Bean
	SecurityFilterChain http(HttpSecurity http) throws Exception {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers(LOGOUT)
				.authenticated()
				.requestMatchers("/api/auth/**", DEMO)
				.permitAll()
				.requestMatchers("/api/push/**", "/api/operator/**")
				.hasAuthority(OPERATOR)
				.requestMatchers(HttpMethod.GET, "/api/**")
				.authenticated()
				.requestMatchers(HttpMethod.HEAD, "/api/**")
				.authenticated()
				.requestMatchers(HttpMethod.DELETE, "/api/rooms/{room}/members/{username}")
				.access(AuthorizationManagers.allOf(AuthenticatedAuthorizationManager.authenticated(),
						SecurityConfiguration::mayRemoveMember))
				.requestMatchers(HttpMethod.DELETE, "/api/devices/*", "/api/me/sign-ins/**")
				.authenticated()
				.requestMatchers(HttpMethod.PUT, "/api/me/password")
				.authenticated()
				.requestMatchers("/api/**")
				.hasAuthority(WRITER)
				.anyRequest()
				.permitAll())
			.oauth2ResourceServer((server) -> server.authenticationManagerResolver((request) -> this::authenticate)
				.bearerTokenResolver(SecurityConfiguration::token)
				.authenticationEntryPoint(this.unauthorized)
				.accessDeniedHandler(this.forbidden))
			.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.cors((cors) -> cors.configurationSource(crossOrigin()))
			.csrf((csrf) -> csrf.disable())
			.requestCache((cache) -> cache.disable())
			.logout((logout) -> logout.disable())
			// The others are added to all responses: see the package headers.
			.headers((headers) -> headers.defaultsDisabled().cacheControl(Customizer.withDefaults()))
			.build();
	}

	/** Allows the origins that may open a WebSocket to call the API too. */
	private CorsConfigurationSource crossOrigin() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.setAllowedOrigins(this.origins.allowedOrigins());
		configuration.setAllowedMethods(List.of("GET", "POST", "PUT", "PATCH", "DELETE"));
		configuration.setAllowedHeaders(List.of(HttpHeaders.AUTHORIZATION, HttpHeaders.CONTENT_TYPE));
		configuration.setExposedHeaders(List.of(HttpHeaders.RETRY_AFTER));
		configuration.setMaxAge(Duration.ofHours(1));
		UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
		source.registerCorsConfiguration("/api/**", configuration);
		return source;
	}

	/**
	 * Checks the sign-in and its account at each request, because a token must not
	 * outlive them or preserve rights.
	 */
	private Authentication authenticate(Authentication request) {
		if (!(request instanceof BearerTokenAuthenticationToken bearer)) {
			throw new InvalidBearerTokenException("not a bearer token");
		}
		Tokens.Identity identity = identify(bearer.getToken());
		return new BearerUser(identity, authorities(identity.user()));
	}

	private List<GrantedAuthority> authorities(String user) {
		return switch (this.states.of(user)) {
			case ACTIVE -> this.states.isOperator(user) ? AuthorityUtils.createAuthorityList(WRITER, OPERATOR)
					: AuthorityUtils.createAuthorityList(WRITER);
			case SUSPENDED -> List.of();
			// It was disabled after the token was checked.
			case DISABLED -> throw invalid(AccountStateCache.disabled());
		};
	}

	/** A suspended user may leave a room, but not remove another user. */
	private static AuthorizationDecision mayRemoveMember(Supplier<? extends Authentication> user,
			RequestAuthorizationContext request) {
		Authentication by = user.get();
		return new AuthorizationDecision(mayWrite(by) || by.getName().equals(request.getVariables().get("username")));
	}

	/**
	 * Returns whether the user may change something. A suspended user may read, leave
	 * rooms and sign out.
	 */
	static boolean mayWrite(Authentication user) {
		return AuthorityUtils.authorityListToSet(user.getAuthorities()).contains(WRITER);
	}

	private Tokens.Identity identify(String token) {
		try {
			return this.tokens.identify(token);
		}
		catch (ChatException ex) {
			throw invalid(ex);
		}
	}

	private static InvalidBearerTokenException invalid(ChatException reason) {
		return new InvalidBearerTokenException(reason.reason(), reason);
	}

	/**
	 * Ignores the bearer token where everybody may call, because a client may send an
	 * expired token along: when it refreshes it, or when it fetches the public keys.
	 */
	private static @Nullable String token(HttpServletRequest request) {
		String path = request.getServletPath();
		boolean open = !path.startsWith("/api/") || path.equals(DEMO)
				|| (path.startsWith("/api/auth/") && !path.equals(LOGOUT));
		return open ? null : BEARER.resolve(request);
	}

}
