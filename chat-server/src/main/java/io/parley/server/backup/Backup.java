package io.parley.server.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedRoomLog;
import io.parley.server.timeline.PositionConverter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;

/**
 * Copies the embedded log and the H2 database while they are in use. The database is
 * copied before the log, so that the log reaches at least as far as the database and
 * holds everything that was acknowledged before the backup began. A generated signing key
 * is copied too.
 */
@Component
@EnableConfigurationProperties(BackupProperties.class)
class Backup {

	private static final Logger logger = LoggerFactory.getLogger(Backup.class);

	private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'")
		.withZone(ZoneOffset.UTC);

	private final ReentrantLock lock = new ReentrantLock();

	private final Path directory;

	private final RoomLog log;

	private final PositionConverter positions;

	private final DataSourceProperties database;

	private final Path keys;

	Backup(BackupProperties properties, RoomLog log, PositionConverter positions, DataSourceProperties database,
			@Value("${chat.security.jwt.key-directory:./data/keys}") Path keys) {
		this.directory = properties.directory().toAbsolutePath().normalize();
		this.log = log;
		this.positions = positions;
		this.database = database;
		this.keys = keys;
	}

	/**
	 * Makes a backup. Takes about as long as copying the database; on the same disk most
	 * files of the log are hard-linked, not copied.
	 * @return the new directory
	 * @throws BackupException if the log or the database is not embedded, if another
	 * backup is in progress, or if the disk fails
	 */
	Path create() {
		if (!(this.log instanceof EmbeddedRoomLog embedded) || !url().startsWith("jdbc:h2:file:")) {
			throw new BackupException("The server backs up only the embedded log with an H2 file database;"
					+ " see docs/operations.md for others");
		}
		if (!this.lock.tryLock()) {
			throw new BackupException("Another backup is in progress: wait until it has ended");
		}
		try {
			return create(embedded);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Path create(EmbeddedRoomLog embedded) {
		Path target = this.directory.resolve(NAME.format(Instant.now()));
		Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
		try {
			Files.createDirectories(unfinished.resolve("log"));
			copyDatabase(unfinished.resolve("db.zip"));
			embedded.copyTo(unfinished.resolve("log").resolve("records"));
			copyKeys(unfinished.resolve("keys"));
			Files.write(unfinished.resolve("backup.json"), new JsonMapper().writeValueAsBytes(description()));
			Checksums.write(unfinished);
			Files.move(unfinished, target);
			logger.info("Made a backup in {}", target);
			return target;
		}
		catch (IOException | SQLException | LogUnavailableException ex) {
			FileSystemUtils.deleteRecursively(unfinished.toFile());
			throw new BackupException(
					"The backup failed in " + this.directory + " (" + ex.getMessage() + "): check the disk", ex);
		}
	}

	private String url() {
		return String.valueOf(this.database.determineUrl());
	}

	/**
	 * Uses a connection of its own, because the pool has only one, which all other code
	 * needs.
	 */
	private void copyDatabase(Path zip) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url(), this.database.determineUsername(),
				this.database.determinePassword()); Statement backup = connection.createStatement()) {
			backup.execute("BACKUP TO '" + zip.toString().replace("'", "''") + "'");
		}
	}

	/** Copies the keys with their permissions: only the owner may read them. */
	private void copyKeys(Path copy) throws IOException {
		if (!Files.isDirectory(this.keys)) {
			return;
		}
		Files.createDirectory(copy);
		try (Stream<Path> files = Files.list(this.keys)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
			}
		}
	}

	private Description description() {
		return new Description(Instant.now().toString(), this.log.id(), this.positions.epoch(),
				IntStream.range(0, this.log.partitions())
					.mapToObj((partition) -> new Part(this.log.startOffset(partition), this.log.endOffset(partition)))
					.toList());
	}

	/** Describes the contents of the backup to operators. */
	private record Description(String made, String log, long epoch, List<Part> partitions) {
	}

	/** The offsets of one partition. */
	private record Part(long start, long end) {
	}

}
