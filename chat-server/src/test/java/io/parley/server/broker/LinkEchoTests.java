package io.parley.server.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;

import static org.assertj.core.api.Assertions.assertThat;

class LinkEchoTests {

	private static final long LONG = 60_000;

	private final StompSession stomp = Mockito.mock(StompSession.class);

	private final List<byte[]> sent = new ArrayList<>();

	private final LinkEcho echo = new LinkEcho(this.stomp, new RabbitMqDialect());

	LinkEchoTests() {
		BDDMockito.given(this.stomp.send(Mockito.any(StompHeaders.class), Mockito.any())).willAnswer((call) -> {
			this.sent.add(call.getArgument(1));
			return null;
		});
	}

	@Test
	void subscribesToItsOwnDestinationWithoutAReceipt() {
		this.echo.request(LONG);
		ArgumentCaptor<StompHeaders> subscribed = ArgumentCaptor.forClass(StompHeaders.class);
		ArgumentCaptor<StompHeaders> asked = ArgumentCaptor.forClass(StompHeaders.class);
		Mockito.verify(this.stomp).subscribe(subscribed.capture(), Mockito.same(this.echo));
		Mockito.verify(this.stomp).send(asked.capture(), Mockito.any());
		assertThat(asked.getValue().getDestination()).isEqualTo(subscribed.getValue().getDestination());
		assertThat(asked.getValue().getReceipt()).isNull();
	}

	@Test
	void completesTheEchoWhoseFrameReturned() {
		CompletableFuture<Void> first = this.echo.request(LONG);
		CompletableFuture<Void> second = this.echo.request(LONG);
		this.echo.handleFrame(new StompHeaders(), this.sent.get(1));
		assertThat(second).isCompleted();
		assertThat(first).isNotDone();
		this.echo.handleFrame(new StompHeaders(), "nonsense".getBytes(StandardCharsets.US_ASCII));
		this.echo.handleFrame(new StompHeaders(), this.sent.get(0));
		assertThat(first).isCompleted();
	}

	@Test
	void failsWhenNoFrameReturnsInTime() {
		CompletableFuture<Void> answer = this.echo.request(1);
		assertThat(answer).failsWithin(Duration.ofMinutes(1))
			.withThrowableThat()
			.withCauseInstanceOf(TimeoutException.class);
	}

}
