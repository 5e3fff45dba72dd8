package io.parley.server.audit;

import java.util.Map;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Records which data of others an operator has read. */
@Configuration(proxyBeanMethods = false)
class OperatorReads implements WebMvcConfigurer, HandlerInterceptor {

	private static final int MAX_USER = 64;

	/** The length that HEAD answers tells something about the data too. */
	private static final Set<String> READS = Set.of(HttpMethod.GET.name(), HttpMethod.HEAD.name());

	private final AuditLog audit;

	OperatorReads(AuditLog audit) {
		this.audit = audit;
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(this).addPathPatterns("/api/operator/**", "/api/push/**");
	}

	@Override
	public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler,
			@Nullable Exception ex) {
		if (READS.contains(request.getMethod()) && response.getStatus() == HttpStatus.OK.value()) {
			String user = request.getParameter("user");
			this.audit.record(AuditAction.OPERATOR_READ, Actor.of(request),
					(user != null && user.length() <= MAX_USER) ? user : null,
					Map.of("path", request.getServletPath()));
		}
	}

}
