package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A temporary folder that is deleted when it is closed, or when this JVM ends.
 */
public final class ScratchFolder implements AutoCloseable {

	private final Thread cleaner = new Thread(() -> delete(path()));

	private final Path path;

	/**
	 * Creates the folder.
	 */
	public ScratchFolder() {
		try {
			this.path = Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().addShutdownHook(this.cleaner);
	}

	/**
	 * Returns its path.
	 */
	public Path path() {
		return this.path;
	}

	@Override
	public void close() {
		Cleaners.remove(this.cleaner);
		delete(this.path);
	}

	/**
	 * Deletes a folder with its content, if it exists.
	 */
	static void delete(Path folder) {
		if (Files.notExists(folder)) {
			return;
		}
		try (Stream<Path> files = Files.walk(folder)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
