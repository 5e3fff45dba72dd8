package io.parley.log.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.log.LogUnavailableException;
import org.jspecify.annotations.Nullable;

/** An exclusive lock on a directory, within this JVM and among processes. */
final class DirectoryLock implements AutoCloseable {

	/**
	 * A file lock belongs to the whole process and ends when any channel to the file is
	 * closed. Within the JVM the file must therefore not even be opened a second time.
	 */
	private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

	private final Path directory;

	private final FileChannel channel;

	private DirectoryLock(Path directory, FileChannel channel) {
		this.directory = directory;
		this.channel = channel;
	}

	/**
	 * Acquires the lock; creates the directory if it is missing.
	 * @throws LogUnavailableException if the directory is in use or can't be used
	 */
	static DirectoryLock acquire(Path directory) {
		try {
			Path real = Files.createDirectories(directory).toRealPath();
			if (!HELD.add(real)) {
				throw new LogUnavailableException("The log directory " + real
						+ " is already open in this process: a directory belongs to one log at a time");
			}
			try {
				return new DirectoryLock(real, lock(real));
			}
			catch (IOException | RuntimeException ex) {
				HELD.remove(real);
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new LogUnavailableException("The log directory " + directory.toAbsolutePath()
					+ " can't be used: check that it is a directory and that this user may write there", ex);
		}
	}

	private static FileChannel lock(Path directory) throws IOException {
		FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE);
		try {
			if (tryLock(channel) != null) {
				return channel;
			}
			throw new LogUnavailableException("The log directory " + directory
					+ " is in use by another process: stop that one, or set another directory");
		}
		catch (IOException | RuntimeException ex) {
			channel.close();
			throw ex;
		}
	}

	private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
		try {
			return channel.tryLock();
		}
		catch (OverlappingFileLockException ex) {
			return null;
		}
	}

	Path directory() {
		return this.directory;
	}

	@Override
	public synchronized void close() {
		if (!this.channel.isOpen()) {
			return;
		}
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			throw new LogUnavailableException("The lock of " + this.directory + " can't be released", ex);
		}
		finally {
			HELD.remove(this.directory);
		}
	}

}
