package io.parley.server.backup;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * Makes a backup at {@code POST /actuator/backup} on the management port and returns its
 * directory; status 409 with the reason if that fails.
 */
@Component
@Endpoint(id = "backup")
class BackupEndpoint {

	private final Backup backup;

	BackupEndpoint(Backup backup) {
		this.backup = backup;
	}

	@WriteOperation
	WebEndpointResponse<Map<String, String>> backup() {
		try {
			return new WebEndpointResponse<>(Map.of("directory", this.backup.create().toString()));
		}
		catch (BackupException ex) {
			return new WebEndpointResponse<>(Map.of("error", String.valueOf(ex.getMessage())), 409);
		}
	}

}
