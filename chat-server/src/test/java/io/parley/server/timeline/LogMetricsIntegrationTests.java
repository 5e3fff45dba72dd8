package io.parley.server.timeline;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@UnlimitedServer
class LogMetricsIntegrationTests {

	private final ChatServer server;

	private final MeterRegistry meters;

	LogMetricsIntegrationTests(ChatServer server, MeterRegistry meters) {
		this.server = server;
		this.meters = meters;
	}

	@Test
	void countsWhatTheLogHasConfirmed() {
		String room = this.server.room("anna");
		double before = appends("confirmed");
		this.server.user("anna").say(room, "c1", "one");
		this.server.user("anna").say(room, "c2", "two");
		assertThat(appends("confirmed")).isEqualTo(before + 2);
		assertThat(appends("refused") + appends("unknown")).isZero();
	}

	@Test
	void reportsTheLagOfLiveDeliveryAndAHealthyLog() {
		await().until(() -> this.meters.get("chat.reader.lag").tag("reader", "tail").gauge().value() == 0);
		assertThat(this.meters.get("chat.log.trouble").gauge().value()).isZero();
		assertThat(this.meters.get("chat.log.removed.unread").functionCounter().count()).isZero();
	}

	private double appends(String outcome) {
		return this.meters.get("chat.log.appends").tag("outcome", outcome).counter().count();
	}

}
