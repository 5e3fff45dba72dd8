package io.parley.server.account;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/**
 * Who may call what over HTTP. The API wants a bearer token; the WebSocket endpoint is
 * open, because its token comes with CONNECT. No cookies anywhere, so nothing to forge.
 */
@Configuration
class SecurityConfiguration {

	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; connect-src 'self' ws: wss:; "
			+ "img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

	private static final BearerTokenResolver BEARER = new DefaultBearerTokenResolver();

	private final UnauthorizedEntryPoint unauthorized;

	private final ForbiddenHandler forbidden;

	private final OperatorProperties operators;

	SecurityConfiguration(UnauthorizedEntryPoint unauthorized, ForbiddenHandler forbidden,
			OperatorProperties operators) {
		this.unauthorized = unauthorized;
		this.forbidden = forbidden;
		this.operators = operators;
	}

	/**
	 * No filters where there is nothing to decide: after a restart everybody comes at
	 * once.
	 */
	@Bean
	@Order(0)
	SecurityFilterChain webSocket() {
		return new DefaultSecurityFilterChain(PathPatternRequestMatcher.withDefaults().matcher("/ws"));
	}

	/**
	 * An observation of each filter for each request would cost more than the filters.
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
				.requestMatchers("/api/push/**")
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
			.csrf((csrf) -> csrf.disable())
			.requestCache((cache) -> cache.disable())
			.logout((logout) -> logout.disable())
			.headers((headers) -> headers
				.contentSecurityPolicy((policy) -> policy.policyDirectives(CONTENT_SECURITY_POLICY)))
			.build();
	}

	/** By the name at each request: nobody stays an operator because of an old token. */
	private JwtAuthenticationConverter authorities() {
		JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
		converter.setJwtGrantedAuthoritiesConverter((jwt) -> this.operators.isOperator(jwt.getSubject())
				? List.of(new SimpleGrantedAuthority(OperatorProperties.AUTHORITY)) : List.of());
		return converter;
	}

	/** Who refreshes an expired token may send it along. */
	private static @Nullable String token(HttpServletRequest request) {
		return request.getServletPath().startsWith("/api/auth/") ? null : BEARER.resolve(request);
	}

}
