package io.parley.notification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.util.FileSystemUtils;

/** Creates embedded logs whose files are deleted with the application. */
class TemporaryLogs implements DisposableBean {

	private final Path directory;

	private final AtomicInteger logs = new AtomicInteger();

	TemporaryLogs() throws IOException {
		this.directory = Files.createTempDirectory("room-logs");
	}

	/** Creates a log with one partition. The test must close it. */
	RoomLog open() {
		Path own = this.directory.resolve("log" + this.logs.getAndIncrement());
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(own, 1, Duration.ofDays(1), 0));
	}

	@Override
	public void destroy() throws IOException {
		FileSystemUtils.deleteRecursively(this.directory);
	}

}
