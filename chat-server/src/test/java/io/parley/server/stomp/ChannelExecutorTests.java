package io.parley.server.stomp;

import io.parley.server.session.InboundExecutor;
import io.parley.server.session.SessionExecutor;
import io.parley.server.session.SessionProperties;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.support.ExecutorSubscribableChannel;

import static org.assertj.core.api.Assertions.assertThat;

/** The client channels must not use the default executor of Spring Boot. */
@UnlimitedServer
class ChannelExecutorTests {

	private final ApplicationContext context;

	private final SessionExecutor executor;

	ChannelExecutorTests(ApplicationContext context, InboundExecutor inboundExecutor) {
		this.context = context;
		this.executor = inboundExecutor.executor();
	}

	@Test
	void inboundFramesUseTheSessionExecutorAndOutboundOnesTheOutbox(
			@Qualifier("clientInboundChannel") ExecutorSubscribableChannel inbound,
			@Qualifier("clientOutboundChannel") ExecutorSubscribableChannel outbound) {
		assertThat(inbound.getExecutor()).isSameAs(this.executor);
		assertThat(outbound.getExecutor()).as("nothing waits before the outbox").isInstanceOf(SyncTaskExecutor.class);
	}

	@Test
	void noOtherBeanExposesTheExecutorOfAChannel() {
		assertThat(this.context.getBeansOfType(TaskExecutor.class).entrySet())
			.filteredOn((bean) -> !bean.getKey().startsWith("client"))
			.noneMatch((bean) -> bean.getValue() == this.executor);
	}

	@Test
	void theExecutorIsBoundedAsConfigured() {
		SessionProperties properties = this.context.getBean(SessionProperties.class);
		assertThat(this.executor.maxQueuedBytes()).isEqualTo(properties.inboundBytes().toBytes()).isPositive();
	}

}
