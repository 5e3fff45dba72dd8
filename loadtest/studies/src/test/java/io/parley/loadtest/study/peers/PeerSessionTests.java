package io.parley.loadtest.study.peers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.parley.loadtest.study.peers.wire.NatsWire;
import io.parley.loadtest.study.peers.wire.Probe;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PeerSessionTests {

	private final Tally tally = new Tally(2);

	/** Session 1 of four in two rooms, so that sessions 1 and 3 send to its room. */
	private final PeerSession session = new PeerSession(1, 4, 2, (index, link) -> new NatsWire(link, "room1"),
			this.tally);

	@Test
	void countsEachMessageOnce() {
		this.session.delivered(new Probe(1, 1, 0, 0));
		this.session.delivered(new Probe(1, 3, 1, 0));
		this.session.delivered(new Probe(1, 1, 2, 0));
		this.session.delivered(new Probe(1, 3, 1, 0));
		assertThat(this.tally.arrivals()).isEqualTo(3);
		assertThat(this.tally.doubles()).isEqualTo(1);
		assertThat(this.tally.disorders()).isZero();
	}

	@Test
	void checksTheOrderOfEachSender() {
		this.session.delivered(new Probe(1, 1, 2, 0));
		this.session.delivered(new Probe(1, 3, 1, 0));
		assertThat(this.tally.disorders()).as("two senders may pass each other").isZero();
		this.session.delivered(new Probe(1, 1, 0, 0));
		assertThat(this.tally.disorders()).isEqualTo(1);
		assertThat(this.tally.arrivals()).isEqualTo(3);
	}

	@Test
	void countsConfirmations() {
		this.session.confirmed();
		assertThat(this.tally.confirmations()).isEqualTo(1);
		assertThat(this.tally.arrivals()).isZero();
		assertThat(this.session.isConfirmed()).as("NATS without JetStream").isFalse();
	}

	@Test
	void failsWithAMessageOfAnotherRoom() {
		this.session.delivered(new Probe(0, 0, 0, 0));
		assertThat(this.tally.errors()).containsOnlyKeys("a message of another room");
	}

	@Test
	void measuresMessagesOnlyAfterTheWarmUp() {
		long start = System.nanoTime();
		this.session.delivered(new Probe(1, 1, 0, start));
		this.tally.measureFrom(start);
		this.session.delivered(new Probe(1, 1, 1, start - 1));
		this.session.delivered(new Probe(1, 1, 2, start));
		assertThat(this.tally.micros()).extracting(Histogram::getTotalCount).containsExactly(1L, 0L);
	}

	@Test
	void measuresEachMinuteByTheTimeOfTheSend() {
		long start = System.nanoTime() - Duration.ofMinutes(4).toNanos();
		this.tally.measureFrom(start);
		this.session.delivered(new Probe(1, 1, 0, start + Duration.ofSeconds(59).toNanos()));
		this.session.delivered(new Probe(1, 1, 1, start + Duration.ofSeconds(60).toNanos()));
		this.session.delivered(new Probe(1, 1, 2, start + Duration.ofSeconds(180).toNanos()));
		assertThat(this.tally.micros()).as("the last minute also counts what is later")
			.extracting(Histogram::getTotalCount)
			.containsExactly(1L, 2L);
	}

	@Test
	void readsFramesOfWebSocketAndNoticesTheEnd() {
		EmbeddedChannel channel = new EmbeddedChannel(this.session);
		byte[] text = new Probe(1, 3, 0, 0).text(40);
		channel.writeInbound(
				new BinaryWebSocketFrame(
						Unpooled.copiedBuffer("INFO {}\r\nPONG\r\nMSG ".getBytes(StandardCharsets.UTF_8))),
				new ContinuationWebSocketFrame(
						Unpooled.copiedBuffer("room1 1 40\r\n".getBytes(StandardCharsets.UTF_8))),
				new ContinuationWebSocketFrame(Unpooled.wrappedBuffer(text, "\r\n".getBytes(StandardCharsets.UTF_8))));
		assertThat(this.session.isReady()).isTrue();
		assertThat(this.tally.arrivals()).isEqualTo(1);
		BinaryWebSocketFrame sent = channel.readOutbound();
		assertThat(sent.content().toString(StandardCharsets.UTF_8)).startsWith("CONNECT {");
		sent.release();
		channel.close();
		assertThat(this.session.isOver()).isTrue();
		assertThat(this.tally.errors()).containsOnlyKeys("closed by the server");
	}

	@Test
	void leavesWithoutAFailure() {
		EmbeddedChannel channel = new EmbeddedChannel(this.session);
		this.session.leave();
		assertThat(channel.isOpen()).isFalse();
		assertThat(this.tally.errors()).isEmpty();
	}

}
