package io.parley.server.websocket;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.socket.messaging.SessionConnectEvent;
import org.springframework.web.socket.messaging.SessionDisconnectEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which threads handle what arrives from the network: a platform thread that blocks
 * would keep others from being read.
 */
@UnlimitedServer
class NetworkThreadsIntegrationTests {

	private final ChatServer server;

	private final ConfigurableApplicationContext context;

	NetworkThreadsIntegrationTests(ChatServer server, ConfigurableApplicationContext context) {
		this.server = server;
		this.context = context;
	}

	@Test
	void readsFramesAndClosesSessionsOnVirtualThreads() {
		Map<Class<?>, Boolean> virtual = new ConcurrentHashMap<>();
		ApplicationListener<ApplicationEvent> listener = (event) -> virtual.put(event.getClass(),
				Thread.currentThread().isVirtual());
		this.context.addApplicationListener(listener);
		try {
			this.server.connect("grace").close();
			Awaitility.await().until(() -> virtual.containsKey(SessionDisconnectEvent.class));
		}
		finally {
			this.context.removeApplicationListener(listener);
		}
		assertThat(virtual).containsEntry(SessionConnectEvent.class, true)
			.containsEntry(SessionDisconnectEvent.class, true);
	}

}
