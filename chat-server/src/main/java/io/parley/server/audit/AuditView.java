package io.parley.server.audit;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.store.audit.AuditEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An entry of the audit log as JSON.
 *
 * @param id null in the log file
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AuditView(@Nullable Long id, Instant at, String action, @Nullable String actor, @Nullable String user,
		@Nullable String address, String node, @Nullable JsonNode detail) {

	static AuditView of(AuditEvent event, JsonMapper json) {
		String detail = event.detail();
		return new AuditView((event.id() != 0) ? event.id() : null, event.at(), event.action(), event.actor(),
				event.username(), event.address(), event.node(), (detail != null) ? json.readTree(detail) : null);
	}

}
