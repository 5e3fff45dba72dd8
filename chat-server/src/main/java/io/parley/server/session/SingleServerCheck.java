package io.parley.server.session;

import java.time.Instant;
import java.util.List;

import io.parley.log.config.LogProperties;
import io.parley.log.config.LogProperties.Backend;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.store.presence.NodePresence;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Broker mode {@code simple} is for one server: the start is refused while the store
 * knows another one that is alive. With the embedded log its directory lock says so
 * already.
 */
@Component
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "simple", matchIfMissing = true)
class SingleServerCheck {

	SingleServerCheck(NodePresence presence, NodeProperties node, LogProperties log) {
		if (log.backend() != Backend.EMBEDDED) {
			requireAlone(presence, node.idOrHostName());
		}
	}

	/**
	 * Refuses when there is another server.
	 * @throws ImpossibleSettingsException that names it
	 */
	static void requireAlone(NodePresence presence, String node) {
		List<String> others = presence.otherLiveNodes(node, Instant.now());
		if (!others.isEmpty()) {
			throw new ImpossibleSettingsException(
					"chat.broker.mode=simple is for one server, but '" + String.join("', '", others)
							+ "' is there too: set chat.broker.mode=bus on all of them, or stop the "
							+ "others and start this one again (one that was killed counts for 30 seconds).");
		}
	}

}
