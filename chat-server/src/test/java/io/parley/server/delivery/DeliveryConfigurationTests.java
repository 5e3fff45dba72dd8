package io.parley.server.delivery;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerOutboundInterceptor;
import io.parley.server.broker.BrokerProperties;
import io.parley.server.broker.SessionLinks;
import io.parley.server.presence.NodeProperties;
import io.parley.server.session.DeliveryThreadPool;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.History;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.NodePresence;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.LifecycleProcessor;
import org.springframework.messaging.MessageHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Each broker mode has its own beans and one {@link LiveDelivery} for the others. */
class DeliveryConfigurationTests {

	private final ApplicationContextRunner server = new ApplicationContextRunner()
		.withUserConfiguration(Settings.class, SimpleDeliveryConfiguration.class, RelayDeliveryConfiguration.class,
				BusDeliveryConfiguration.class)
		.withBean("lifecycleProcessor", LifecycleProcessor.class, () -> Mockito.mock(LifecycleProcessor.class))
		.withBean("simpleBrokerMessageHandler", MessageHandler.class, () -> Mockito.mock(MessageHandler.class))
		.withBean("stompBrokerRelayMessageHandler", MessageHandler.class, () -> Mockito.mock(MessageHandler.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(RoomLog.class, () -> Mockito.mock(RoomLog.class))
		.withBean(History.class, () -> Mockito.mock(History.class))
		.withBean(PositionConverter.class, () -> Mockito.mock(PositionConverter.class))
		.withBean(ReaderOffsets.class, () -> Mockito.mock(ReaderOffsets.class))
		.withBean(NodePresence.class, () -> Mockito.mock(NodePresence.class))
		.withBean(DeliveryThreadPool.class, () -> Mockito.mock(DeliveryThreadPool.class))
		.withBean(OutboundFrames.class, () -> Mockito.mock(OutboundFrames.class))
		.withBean(SessionRegistry.class, () -> Mockito.mock(SessionRegistry.class))
		.withBean(User.class);

	@Test
	void deliversThroughSpringsBrokerWithoutSettings() {
		this.server.run((context) -> {
			assertThat(delivery(context)).isInstanceOf(SimpleDelivery.class);
			assertThat(context).hasSingleBean(SingleServerCheck.class)
				.hasSingleBean(BrokerOutboundInterceptor.class)
				.doesNotHaveBean(BrokerLink.class);
		});
	}

	@Test
	void deliversThroughTheHubInModeBus() {
		this.server.withPropertyValues("chat.broker.mode=bus").run((context) -> {
			assertThat(delivery(context)).isInstanceOf(Hub.class);
			assertThat(context).doesNotHaveBean(SingleServerCheck.class)
				.doesNotHaveBean(BrokerOutboundInterceptor.class)
				.doesNotHaveBean(BrokerLink.class);
		});
	}

	@Test
	void connectsEachSessionToTheBrokerInModeRelay() {
		this.server.withPropertyValues("chat.broker.mode=relay").run((context) -> {
			assertThat(delivery(context)).isInstanceOf(SessionRelay.class);
			assertThat(context).hasSingleBean(RelayPublisher.class)
				.hasSingleBean(SessionLinks.class)
				.doesNotHaveBean(SingleServerCheck.class);
			assertThat(listeners(context)).isEmpty();
		});
	}

	@Test
	void connectsTheNodeToTheBrokerWhenToldSo() {
		this.server.withPropertyValues("chat.broker.mode=relay", "chat.broker.relay.connections=per-node")
			.run((context) -> {
				assertThat(delivery(context)).isInstanceOf(NodeRelay.class);
				assertThat(context).hasSingleBean(RelayPublisher.class)
					.doesNotHaveBean(BrokerOutboundInterceptor.class);
				assertThat(listeners(context)).containsExactly(context.getBean(NodeRelay.class));
			});
	}

	@Test
	void connectsNothingToABrokerInOtherModes() {
		this.server.withPropertyValues("chat.broker.mode=bus", "chat.broker.relay.connections=per-node")
			.run((context) -> assertThat(context).hasSingleBean(LiveDelivery.class).hasSingleBean(Hub.class));
	}

	private static LiveDelivery delivery(AssertableApplicationContext context) {
		return context.getBean(User.class).live();
	}

	private static List<BrokerLink.Listener> listeners(AssertableApplicationContext context) {
		return context.getBeanProvider(BrokerLink.Listener.class).orderedStream().toList();
	}

	/** Gets the delivery as other components do. */
	private record User(LiveDelivery live) {
	}

	@EnableConfigurationProperties({ BrokerProperties.class, NodeProperties.class, LogProperties.class })
	private static final class Settings {

	}

}
