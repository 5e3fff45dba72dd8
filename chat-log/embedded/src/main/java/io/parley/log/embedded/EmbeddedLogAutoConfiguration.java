package io.parley.log.embedded;

import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.config.LogProperties.Embedded;
import io.parley.log.config.RoomLogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Offers the embedded log, for {@code chat.log.backend=embedded}. */
@AutoConfiguration
class EmbeddedLogAutoConfiguration {

	@Bean
	RoomLogFactory embeddedLog() {
		return new RoomLogFactory(Backend.EMBEDDED,
				(properties) -> open(properties.partitions(), properties.embedded()));
	}

	private static RoomLog open(int partitions, Embedded settings) {
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(settings.directory(), partitions, settings.retention(),
				settings.minFree().toBytes()));
	}

}
