package io.parley.server.websocket;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class OutboxTests {

	private static final int MAX_BYTES = 10_000;

	private static final String END = "\n";

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final Socket socket = new Socket();

	private final AtomicInteger spaces = new AtomicInteger();

	private final Outbox outbox = outbox(Runnable::run);

	@AfterEach
	void stop() {
		this.thread.shutdownNow();
	}

	private Outbox outbox(Executor writer) {
		return new Outbox(this.socket, writer, MAX_BYTES, this.spaces::incrementAndGet);
	}

	@Test
	void writesQueuedFramesTogetherAndInOrder() {
		byte[] first = frame("f0");
		this.outbox.send(first);
		for (int i = 1; i < 10; i++) {
			this.outbox.send(frame("f" + i));
		}
		assertThat(this.socket.writes).hasSize(1);
		this.socket.takeAll();
		assertThat(this.socket.writes).hasSize(2);
		assertThat(this.socket.writes.getFirst()).as("a single frame is not copied").isSameAs(first);
		assertThat(this.socket.frames()).containsExactly("f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9");
	}

	@Test
	void wakesTheWriterWithoutItsLock() {
		AtomicReference<Outbox> watched = new AtomicReference<>();
		List<Boolean> locked = new ArrayList<>();
		Outbox outbox = outbox((write) -> {
			locked.add(Thread.holdsLock(watched.get()));
			write.run();
		});
		watched.set(outbox);
		outbox.send(frame("sent"));
		this.socket.takeAll();
		outbox.offer(frame("offered"));
		outbox.offer(frame("gathered"));
		this.socket.takeAll();
		outbox.close(CloseStatus.NORMAL);
		assertThat(locked).hasSizeGreaterThanOrEqualTo(4).containsOnly(false);
	}

	@Test
	void limitsTheSizeOfOneWrite() {
		Outbox large = new Outbox(this.socket, Runnable::run, 1_000_000, this.spaces::incrementAndGet);
		for (int i = 0; i < 100; i++) {
			large.send(new byte[5_000]);
		}
		this.socket.takeAll();
		assertThat(this.socket.writes).allMatch((frames) -> frames.length == 15_000 || frames.length == 5_000);
		assertThat(this.socket.writes.stream().mapToInt((frames) -> frames.length).sum()).isEqualTo(500_000);
	}

	@Test
	void refusesFramesWhenFullAndNotifiesWhenThereIsSpaceAgain() {
		int taken = 0;
		while (this.outbox.offer(new byte[1_000])) {
			taken++;
		}
		assertThat(taken).isBetween(8, 10);
		assertThat(this.spaces).hasValue(0);
		this.socket.takeAll();
		assertThat(this.spaces).hasValue(1);
		assertThat(this.outbox.offer(new byte[1_000])).isTrue();
		this.socket.takeAll();
		assertThat(this.spaces).as("nothing was refused since").hasValue(1);
	}

	@Test
	void acceptsOneFrameOfAnySize() {
		assertThat(this.outbox.offer(new byte[10 * MAX_BYTES])).isTrue();
	}

	@Test
	void acceptsRequiredFramesUpToTwiceTheLimit() {
		int taken = 0;
		while (this.outbox.send(new byte[1_000])) {
			taken++;
		}
		assertThat(taken).isBetween(18, 20);
	}

	@Test
	void closesAfterTheQueuedFramesAndAcceptsNoMore() {
		this.outbox.send(frame("one"));
		this.outbox.send(frame("two"));
		this.outbox.close(CloseStatus.NORMAL);
		this.outbox.close(CloseStatus.SERVER_ERROR);
		this.outbox.send(frame("late"));
		assertThat(this.socket.closed).isEmpty();
		this.socket.takeAll();
		assertThat(this.socket.frames()).containsExactly("one", "two");
		assertThat(this.socket.closed).containsExactly(CloseStatus.NORMAL);
	}

	@Test
	void dropsQueuedFramesWhenTheClientCloses() {
		List<String> events = new ArrayList<>();
		this.outbox.send(frame("being written"));
		this.outbox.send(frame("waiting"));
		this.outbox.finish(() -> events.add("answered"));
		this.outbox.send(frame("too late"));
		assertThat(events).isEmpty();
		this.socket.takeAll();
		assertThat(events).containsExactly("answered");
		assertThat(this.socket.frames()).containsExactly("being written");
		assertThat(this.outbox.hasPendingFrames()).isFalse();
	}

	@Test
	void answersTheClientsCloseAfterItsOwnClose() {
		List<String> events = new ArrayList<>();
		this.outbox.send(frame("being written"));
		this.outbox.close(CloseStatus.NORMAL);
		this.outbox.finish(() -> events.add("answered after " + this.socket.closed));
		this.socket.takeAll();
		assertThat(events).containsExactly("answered after " + List.of(CloseStatus.NORMAL));
	}

	@Test
	void answersTheClientsCloseWhenItsOwnIsSent() {
		List<String> events = new ArrayList<>();
		this.outbox.close(CloseStatus.NORMAL);
		this.outbox.finish(() -> events.add("answered after " + this.socket.closed));
		assertThat(events).containsExactly("answered after " + List.of(CloseStatus.NORMAL));
	}

	@Test
	void closesAtOnceWhenNothingWaits() {
		this.outbox.close(CloseStatus.NORMAL);
		assertThat(this.socket.closed).containsExactly(CloseStatus.NORMAL);
	}

	@Test
	void blocksAReplayUntilHalfOfTheSpaceIsFree() throws InterruptedException {
		for (int i = 0; i < 8; i++) {
			this.outbox.send(new byte[1_000]);
		}
		Thread replay = Thread.ofVirtual().start(() -> awaitSpace(this.outbox));
		Awaitility.await().until(() -> replay.getState() == Thread.State.WAITING);
		this.socket.takeAll();
		replay.join();
	}

	@Test
	void keepsTheOrderOfEachOfManySenders() {
		Outbox shared = new Outbox(this.socket, this.thread, Long.MAX_VALUE / 4, () -> {
		});
		this.socket.takesAtOnce = true;
		for (int sender = 0; sender < 4; sender++) {
			String name = sender + ":";
			Thread.ofPlatform().start(() -> {
				for (int i = 0; i < 5_000; i++) {
					shared.send(frame(name + String.format("%05d", i)));
				}
			});
		}
		Awaitility.await().until(() -> this.socket.frames().size() == 20_000);
		for (int sender = 0; sender < 4; sender++) {
			String name = sender + ":";
			assertThat(this.socket.frames().stream().filter((frame) -> frame.startsWith(name))).isSorted()
				.hasSize(5_000);
		}
	}

	private static void awaitSpace(Outbox outbox) {
		try {
			outbox.awaitBacklogAtMost(Long.MAX_VALUE);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static byte[] frame(String text) {
		return (text + END).getBytes(StandardCharsets.UTF_8);
	}

	/** Completes writes only on request. */
	private static final class Socket implements FrameSocket {

		final List<byte[]> writes = new ArrayList<>();

		final List<CloseStatus> closed = new ArrayList<>();

		volatile boolean takesAtOnce;

		private Runnable done;

		@Override
		public synchronized void write(byte[] frames, Runnable written) {
			this.writes.add(frames);
			if (this.takesAtOnce) {
				written.run();
			}
			else {
				assertThat(this.done).as("one write at a time").isNull();
				this.done = written;
			}
		}

		void takeAll() {
			while (this.done != null) {
				Runnable written = this.done;
				this.done = null;
				written.run();
			}
		}

		synchronized List<String> frames() {
			return this.writes.stream()
				.flatMap((frames) -> new String(frames, StandardCharsets.UTF_8).lines())
				.toList();
		}

		@Override
		public void close(CloseStatus status) {
			this.closed.add(status);
		}

		@Override
		public void abort() {
		}

	}

}
