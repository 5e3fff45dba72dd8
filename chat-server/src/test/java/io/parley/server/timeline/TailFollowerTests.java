package io.parley.server.timeline;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.parley.log.LogReader;
import io.parley.log.LogReplacedException;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests an embedded log whose readers fail on request. */
class TailFollowerTests {

	@TempDir
	private Path directory;

	private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

	private final List<Long> offsets = Collections.synchronizedList(new ArrayList<>());

	private final List<LogReplacedException> replaced = Collections.synchronizedList(new ArrayList<>());

	private RoomLog log;

	private TailFollower follower;

	private Thread thread;

	@BeforeEach
	void follow() {
		this.log = EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, 1, Duration.ofDays(1), 0));
		append(5);
		this.follower = new TailFollower(failing(RoomLog.class, this.log), 0, new TailPartition(1_000, 2),
				(record) -> this.offsets.add(record.offset()), this.replaced::add);
		this.thread = Thread.ofPlatform().start(this.follower);
		await().until(() -> this.offsets.size() == 3);
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.follower.stop();
		this.thread.join();
		this.log.close();
	}

	@Test
	void continuesWithTheNextRecordAfterAFailure() {
		this.failure.set(new LogUnavailableException("The disk does not answer"));
		await().until(() -> this.failure.get() == null);
		append(3);
		await().until(() -> this.offsets.size() == 6);
		assertThat(this.offsets).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
		await().until(() -> this.follower.lag() == 0);
		assertThat(this.replaced).isEmpty();
	}

	@Test
	void endsAndReportsAReplacedLog() throws InterruptedException {
		this.failure.set(new LogReplacedException("A new log has begun"));
		this.thread.join();
		assertThat(this.replaced).singleElement().extracting(Throwable::getMessage).isEqualTo("A new log has begun");
		append(3);
		assertThat(this.follower.lag()).isEqualTo(3);
	}

	private void append(int count) {
		for (int i = 0; i < count; i++) {
			this.log.append(0, new byte[10]).join();
		}
	}

	/** Wraps an object so that each failure is thrown by one poll. */
	private <T> T failing(Class<T> type, T real) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				RuntimeException next = method.getName().equals("poll") ? this.failure.getAndSet(null) : null;
				if (next != null) {
					throw next;
				}
				try {
					Object result = method.invoke(real, arguments);
					return (result instanceof LogReader reader) ? failing(LogReader.class, reader) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

}
