package io.parley.nginx;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;

/** One chat-server, with a user and a room, for all tests of this module. */
final class RunningServer implements BeforeAllCallback {

	private @Nullable Started started;

	/** Is closed when the last test of the module is over. */
	record Started(Network network, GenericContainer<?> server, ChatClient alice,
			String room) implements AutoCloseable {

		static Started start() {
			Network network = Network.newNetwork();
			GenericContainer<?> server = Containers.server(network);
			server.start();
			try {
				ChatClient alice = ChatClient.register(Containers.address(server));
				return new Started(network, server, alice, alice.createRoom());
			}
			catch (Exception ex) {
				throw new IllegalStateException("The server took no user", ex);
			}
		}

		@Override
		public void close() {
			this.alice.close();
			this.server.stop();
			this.network.close();
		}

	}

	@Override
	public void beforeAll(ExtensionContext context) {
		this.started = context.getRoot()
			.getStore(Namespace.create(RunningServer.class))
			.computeIfAbsent(Started.class, (key) -> Started.start(), Started.class);
	}

	Network network() {
		return started().network();
	}

	/** A user of the server, directly and not through a front. */
	ChatClient alice() {
		return started().alice();
	}

	String room() {
		return started().room();
	}

	private Started started() {
		return Objects.requireNonNull(this.started);
	}

}
