package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.client.RoomClients;
import io.parley.loadtest.study.server.LocalBroker;
import io.parley.loadtest.study.transports.TransportsOptions.Kind;

/**
 * Starts the compared servers.
 */
final class Transports {

	private static final Pattern RELAY = Pattern.compile("(rabbitmq|artemis|activemq)@([^:]+):([0-9]+)");

	private final TransportsOptions options;

	Transports(TransportsOptions options) {
		this.options = options;
	}

	Transport start(Kind kind) {
		return switch (kind) {
			case SOCKET -> new SocketTransport();
			case RMI -> new RmiTransport();
			case JMS -> new JmsTransport();
			case SIMPLE, BUS -> parley(kind, List.of(), () -> {
			});
			case RELAY -> relay();
		};
	}

	private Transport relay() {
		String broker = this.options.relay;
		if (broker != null) {
			return parley(Kind.RELAY, relaySettings(broker), () -> {
			});
		}
		LocalBroker artemis = LocalBroker.start(LocalBroker.Kind.ARTEMIS);
		try {
			return parley(Kind.RELAY, relaySettings("artemis@127.0.0.1:" + artemis.port()), artemis);
		}
		catch (RuntimeException ex) {
			artemis.close();
			throw ex;
		}
	}

	private List<String> relaySettings(String broker) {
		Matcher parts = RELAY.matcher(broker);
		String[] login = this.options.relayLogin.split(":", 2);
		if (!parts.matches() || login.length != 2) {
			throw new RefusedException("--relay needs a kind and an address, as rabbitmq@localhost:61613, and"
					+ " --relay-login a user and a password, as guest:guest.");
		}
		String relay = "chat.broker.relay.";
		return List.of(relay + "kind=" + parts.group(1), relay + "host=" + parts.group(2),
				relay + "port=" + parts.group(3), relay + "username=" + login[0], relay + "password=" + login[1],
				relay + "connections=" + this.options.relayConnections);
	}

	/**
	 * Starts a chat-server. Its connect limit is for real users and is turned off; its
	 * tokens must outlive the study.
	 */
	private Transport parley(Kind mode, List<String> more, AutoCloseable broker) {
		List<String> settings = new ArrayList<>(List.of("chat.broker.mode=" + mode, "chat.limits.connects-per-second=0",
				"chat.security.jwt.access-ttl=1d"));
		settings.addAll(more);
		LocalServer server = LocalServer.start(this.options.serverJar, List.of(), settings);
		int most = this.options.cells().stream().mapToInt(Cell::clients).max().orElse(1);
		try {
			RoomClients clients = new RoomClients(server.url(), most);
			return new ParleyTransport("Parley " + mode, () -> {
				server.close();
				broker.close();
			}, clients);
		}
		catch (RuntimeException ex) {
			server.close();
			throw ex;
		}
	}

}
