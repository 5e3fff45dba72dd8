package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.study.server.LocalBroker;
import org.jspecify.annotations.Nullable;

/**
 * A fan-out mode.
 *
 * @param broker that a chat-server relays to, or null when it does not relay
 * @param settings of the chat-server; empty for the textbook's server
 */
record Mode(String name, LocalBroker.@Nullable Kind broker, List<String> settings) {

	static final Mode TEXTBOOK = new Mode("textbook", null, List.of());

	/**
	 * Returns whether this is the textbook's server, with which the others are compared.
	 */
	boolean isReference() {
		return this.settings.isEmpty();
	}

	static List<Mode> all() {
		List<Mode> modes = new ArrayList<>();
		modes.add(TEXTBOOK);
		modes.add(new Mode("simple", null, List.of("chat.broker.mode=simple")));
		for (LocalBroker.Kind kind : LocalBroker.Kind.values()) {
			for (String connections : List.of("per-session", "per-node")) {
				modes.add(new Mode("relay/" + kind.key() + "/" + connections, kind,
						List.of("chat.broker.mode=relay", "chat.broker.relay.connections=" + connections)));
			}
		}
		modes.add(new Mode("bus", null, List.of("chat.broker.mode=bus")));
		return modes;
	}

	/**
	 * Returns the modes that have one of these names, or start with it:
	 * {@code relay/artemis} selects two.
	 * @throws LoadTestException when a name matches no mode
	 */
	static List<Mode> named(List<String> names) {
		names.forEach((name) -> {
			if (all().stream().noneMatch((mode) -> mode.is(name))) {
				throw new LoadTestException("--only %s: there is no such mode, there are %s.".formatted(name,
						String.join(", ", all().stream().map(Mode::name).toList())));
			}
		});
		return all().stream()
			.filter((mode) -> names.isEmpty() || names.stream().anyMatch((name) -> mode.is(name)))
			.toList();
	}

	private boolean is(String named) {
		return this.name.equals(named) || this.name.startsWith(named + "/");
	}

}
