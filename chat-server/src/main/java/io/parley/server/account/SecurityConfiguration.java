package io.parley.server.account;

import java.time.Duration;
import java.util.List;

import io.parley.server.error.ChatException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
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

	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; connect-src 'self'; "
			+ "img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

	private static final BearerTokenResolver BEARER = new DefaultBearerTokenResolver();

	private final UnauthorizedEntryPoint unauthorized;

	private final ForbiddenHandler forbidden;

	private final OperatorProperties operators;

	private final OriginProperties origins;

	private final AccountService accounts;

	SecurityConfiguration(UnauthorizedEntryPoint unauthorized, ForbiddenHandler forbidden, OperatorProperties operators,
			OriginProperties origins, AccountService accounts) {
		this.unauthorized = unauthorized;
		this.forbidden = forbidden;
		this.operators = operators;
		this.origins = origins;
		this.accounts = accounts;
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
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/api/auth/**", "/api/demo")
				.permitAll()
				.requestMatchers("/api/push/**", "/api/operator/**")
				.hasAuthority(OperatorProperties.AUTHORITY)
				.requestMatchers("/api/**")
				.authenticated()
				.anyRequest()
				.permitAll())
			.oauth2ResourceServer((server) -> server.jwt((jwt) -> jwt.jwtAuthenticationConverter(authorities()))
				.bearerTokenResolver(SecurityConfiguration::token)
				.authenticationEntryPoint(this.unauthorized)
				.accessDeniedHandler(this.forbidden))
			.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.cors((cors) -> cors.configurationSource(crossOrigin()))
			.csrf((csrf) -> csrf.disable())
			.requestCache((cache) -> cache.disable())
			.logout((logout) -> logout.disable())
			.headers((headers) -> headers
				.contentSecurityPolicy((policy) -> policy.policyDirectives(CONTENT_SECURITY_POLICY)))
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
	 * Checks the account and the operator list at each request, because a token must not
	 * outlive its account or preserve operator rights.
	 */
	private JwtAuthenticationConverter authorities() {
		JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
		converter.setJwtGrantedAuthoritiesConverter((jwt) -> {
			requireAccount(String.valueOf(jwt.getSubject()));
			return this.operators.isOperator(jwt.getSubject())
					? List.of(new SimpleGrantedAuthority(OperatorProperties.AUTHORITY)) : List.of();
		});
		return converter;
	}

	private void requireAccount(String user) {
		boolean exists;
		try {
			exists = this.accounts.existsCached(user);
		}
		catch (ChatException ex) {
			throw new InvalidBearerTokenException("It is not known whether the account of this token exists", ex);
		}
		if (!exists) {
			throw new InvalidBearerTokenException("The account of this token does not exist");
		}
	}

	/**
	 * Ignores the bearer token on {@code /api/auth}, because a client may send an expired
	 * token along when it refreshes it.
	 */
	private static @Nullable String token(HttpServletRequest request) {
		return request.getServletPath().startsWith("/api/auth/") ? null : BEARER.resolve(request);
	}

}
