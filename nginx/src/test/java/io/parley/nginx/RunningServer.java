package io.parley.nginx;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;

/** A chat-server with a user and a room, shared by all tests of this module. */
final class RunningServer implements BeforeAllCallback {

	private @Nullable Started started;

	/** Closed after the last test of the module. */
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
				throw new IllegalStateException("The user could not be registered", ex);
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

	/** Returns a user connected directly to the server, not through nginx. */
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
