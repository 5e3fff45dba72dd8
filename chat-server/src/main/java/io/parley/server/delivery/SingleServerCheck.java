package io.parley.server.delivery;

import java.time.Instant;
import java.util.List;

import io.parley.log.config.LogProperties.Backend;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.store.presence.NodePresence;

/**
 * Fails the start in broker mode {@code simple}, which supports one server only, if the
 * store lists another live server. With the embedded log, its directory lock already
 * prevents a second server.
 */
class SingleServerCheck {

	SingleServerCheck(NodePresence presence, String node, Backend log) {
		if (log != Backend.EMBEDDED) {
			requireNoOtherServer(presence, node);
		}
	}

	/**
	 * Checks that there is no other live server.
	 * @throws ImpossibleSettingsException if there is one; the message names it
	 */
	static void requireNoOtherServer(NodePresence presence, String node) {
		List<String> others = presence.otherLiveNodes(node, Instant.now());
		if (!others.isEmpty()) {
			throw new ImpossibleSettingsException(
					"chat.broker.mode=simple is for one server, but '" + String.join("', '", others)
							+ "' is running too: set chat.broker.mode=bus on all of them, or stop the "
							+ "others and start this one again (a killed server counts for 30 seconds).");
		}
	}

}
