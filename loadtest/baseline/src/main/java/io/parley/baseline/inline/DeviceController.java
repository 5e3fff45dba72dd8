package io.parley.baseline.inline;

import java.util.List;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Registers the devices of offline members of a room.
 */
@RestController
@Profile("inline")
class DeviceController {

	record Devices(String room, List<String> tokens) {
	}

	private final JdbcTemplate database;

	DeviceController(JdbcTemplate database) {
		this.database = database;
	}

	@PostMapping("/devices")
	void add(@RequestBody Devices devices) {
		devices.tokens()
			.forEach((token) -> this.database.update("INSERT INTO device (token, room, away) VALUES (?, ?, TRUE)",
					token, devices.room()));
	}

}
