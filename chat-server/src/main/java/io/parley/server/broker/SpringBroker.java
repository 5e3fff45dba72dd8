package io.parley.server.broker;

import java.util.function.Consumer;

import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.tcp.TcpOperations;

/**
 * The broker of Spring that a broker mode uses. The configuration of each mode defines
 * one.
 */
public final class SpringBroker {

	private static final String TOPICS = "/topic";

	/**
	 * More than the number of rooms that are live at once. A cache miss scans all
	 * subscriptions.
	 */
	private static final int DESTINATION_CACHE = 65_536;

	private final boolean simple;

	private final Consumer<MessageBrokerRegistry> registration;

	private SpringBroker(boolean simple, Consumer<MessageBrokerRegistry> registration) {
		this.simple = simple;
		this.registration = registration;
	}

	/** Returns a value that registers no broker: Parley itself fans out. */
	public static SpringBroker none() {
		return new SpringBroker(false, (registry) -> {
		});
	}

	/** Returns the broker in memory. */
	public static SpringBroker simple() {
		return new SpringBroker(true,
				(registry) -> registry.setCacheLimit(DESTINATION_CACHE).enableSimpleBroker(TOPICS));
	}

	/** Returns the relay to an external broker, with a connection for each session. */
	public static SpringBroker relay(BrokerProperties.Relay settings, TcpOperations<byte[]> client) {
		return new SpringBroker(false,
				(registry) -> registry.enableStompBrokerRelay(TOPICS)
					.setVirtualHost(settings.virtualHost())
					.setSystemLogin(settings.username())
					.setSystemPasscode(settings.password())
					.setClientLogin(settings.username())
					.setClientPasscode(settings.password())
					.setTcpClient(client));
	}

	/**
	 * Returns whether this is the broker in memory. Spring adds that one on its own if no
	 * other is registered.
	 */
	public boolean isSimple() {
		return this.simple;
	}

	/** Registers the broker, if there is one. */
	public void register(MessageBrokerRegistry registry) {
		this.registration.accept(registry);
	}

}
