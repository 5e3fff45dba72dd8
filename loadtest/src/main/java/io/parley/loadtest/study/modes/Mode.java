package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.local.LocalBroker;
import org.jspecify.annotations.Nullable;

/**
 * Who fans out.
 *
 * @param broker that a chat-server relays to, or null when it does not
 * @param settings of the chat-server; empty for the textbook's
 */
record Mode(String name, LocalBroker.@Nullable Kind broker, List<String> settings) {

	static final Mode TEXTBOOK = new Mode("textbook", null, List.of());

	/** The textbook's server is what the others are compared with. */
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
	 * Those that are named, or begin with a name: {@code relay/artemis} are two.
	 * @throws RefusedException when a name means none
	 */
	static List<Mode> named(List<String> names) {
		names.forEach((name) -> {
			if (all().stream().noneMatch((mode) -> mode.is(name))) {
				throw new RefusedException("--only %s: there is no such mode, there are %s.".formatted(name,
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
