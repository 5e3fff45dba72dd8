package io.parley.server.stomp;

import io.parley.server.testing.UnlimitedServer;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.SessionExecutor;
import io.parley.server.session.SessionProperties;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.support.ExecutorSubscribableChannel;

import static org.assertj.core.api.Assertions.assertThat;

/** Spring Boot must not put its own executor under the client channels. */
@UnlimitedServer
class ChannelExecutorTests {

	private final ApplicationContext context;

	private final SessionExecutor lanes;

	ChannelExecutorTests(ApplicationContext context, InboundExecutor lanes) {
		this.context = context;
		this.lanes = lanes.executor();
	}

	@Test
	void framesFromClientsHaveTheirLanesAndThoseToClientsTheirOutboxes(
			@Qualifier("clientInboundChannel") ExecutorSubscribableChannel inbound,
			@Qualifier("clientOutboundChannel") ExecutorSubscribableChannel outbound) {
		assertThat(inbound.getExecutor()).isSameAs(this.lanes);
		assertThat(outbound.getExecutor()).as("nothing waits before the outbox").isInstanceOf(SyncTaskExecutor.class);
	}

	@Test
	void noBeanIsTheExecutorOfAChannelForOthersToo() {
		assertThat(this.context.getBeansOfType(TaskExecutor.class).entrySet())
			.filteredOn((bean) -> !bean.getKey().startsWith("client"))
			.noneMatch((bean) -> bean.getValue() == this.lanes);
	}

	@Test
	void lanesAreBoundedAsConfigured() {
		SessionProperties properties = this.context.getBean(SessionProperties.class);
		assertThat(this.lanes.maxQueuedBytes()).isEqualTo(properties.inboundBytes().toBytes()).isPositive();
	}

}
