package io.parley.server.delivery;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.log.RoomLog;
import io.parley.log.config.KnownPasswordCheck;
import io.parley.server.broker.BrokerAvailability;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerProperties;
import io.parley.server.broker.BrokerTcp;
import io.parley.server.broker.SessionLinks;
import io.parley.server.broker.SpringBroker;
import io.parley.server.session.DeliveryThreadPool;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.History;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.messaging.MessageHandler;

/**
 * Configures {@code chat.broker.mode=relay}, in the order of an event's way: publisher,
 * connection to the external broker, fallback, relay.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "relay")
@Import({ RelayDeliveryConfiguration.PerSession.class, RelayDeliveryConfiguration.PerNode.class })
class RelayDeliveryConfiguration {

	private static final String HUB = "relayHub";

	private final BrokerProperties.Relay properties;

	RelayDeliveryConfiguration(BrokerProperties properties) {
		this.properties = properties.relay();
		KnownPasswordCheck.check(this.properties.kind().name(), this.properties.host(), this.properties.username(),
				this.properties.password(), "chat.broker.relay.password");
	}

	/** The broker is unavailable until it has answered. */
	@Bean
	BrokerAvailability brokerAvailability() {
		return new BrokerAvailability(false);
	}

	@Bean
	RelayPublisher relayPublisher(RoomLog log, History history, PositionConverter positions, ReaderOffsets offsets,
			BrokerLink link, ApplicationEventPublisher events) {
		return new RelayPublisher(log, history, positions, offsets, link, events);
	}

	@Bean
	BrokerTcp brokerTcp() {
		return new BrokerTcp(this.properties);
	}

	/**
	 * Creates the link.
	 * @param listeners resolved at the start, because a listener subscribes through the
	 * link
	 */
	@Bean
	BrokerLink brokerLink(BrokerTcp tcp, ObjectProvider<BrokerLink.Listener> listeners) {
		return new BrokerLink(this.properties, tcp, () -> listeners.orderedStream().toList());
	}

	@Bean
	DeliveryFallback deliveryFallback(@Qualifier(HUB) Hub hub, MeterRegistry meters) {
		return new DeliveryFallback(hub::deliver, meters);
	}

	/** The hub behind the relay. Only the relay is injected as {@link LiveDelivery}. */
	@Bean(name = HUB, defaultCandidate = false)
	Hub relayHub(DeliveryThreadPool threads) {
		return new Hub(threads);
	}

	/** One connection to the broker for each session. */
	@ConditionalOnProperty(name = "chat.broker.relay.connections", havingValue = "per-session", matchIfMissing = true)
	static class PerSession {

		@Bean
		SpringBroker springBroker(BrokerProperties properties, BrokerTcp tcp) {
			return SpringBroker.relay(properties.relay(), tcp.client());
		}

		/**
		 * Creates the links.
		 * @param relay resolved when it is first used, because it sends to the channel
		 * that the links intercept
		 */
		@Bean
		SessionLinks sessionLinks(@Lazy @Qualifier("stompBrokerRelayMessageHandler") MessageHandler relay,
				BrokerProperties properties, SessionRegistry sessions) {
			return new SessionLinks(relay, properties.relay().kind(), new RelayedSessions(sessions));
		}

		@Bean
		SessionRelay sessionRelay(@Qualifier(HUB) Hub hub, DeliveryFallback fallback, BrokerLink link,
				OutboundFrames outbound, SessionLinks links) {
			return new SessionRelay(hub, fallback, link, outbound, links);
		}

	}

	/** One connection to the broker for this server. */
	@ConditionalOnProperty(name = "chat.broker.relay.connections", havingValue = "per-node")
	static class PerNode {

		@Bean
		SpringBroker springBroker() {
			return SpringBroker.none();
		}

		@Bean
		NodeRelay nodeRelay(@Qualifier(HUB) Hub hub, DeliveryFallback fallback, BrokerLink link,
				OutboundFrames outbound, ApplicationEventPublisher events) {
			return new NodeRelay(hub, fallback, link, outbound, events);
		}

	}

}
