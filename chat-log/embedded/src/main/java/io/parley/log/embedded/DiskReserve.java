package io.parley.log.embedded;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.log.LogUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps some of the disk free. A log that runs into a full disk has failed for good; one
 * that stops before goes on as soon as there is space.
 */
final class DiskReserve {

	private static final long MIB = 1024 * 1024;

	private final Path directory;

	private final FileStore disk;

	private final long minFreeBytes;

	DiskReserve(Path directory, long minFreeBytes) {
		this.directory = directory;
		this.minFreeBytes = minFreeBytes;
		try {
			this.disk = Files.getFileStore(directory);
		}
		catch (IOException ex) {
			throw new LogUnavailableException("The disk with " + directory + " can't be asked for its free space", ex);
		}
	}

	/** Why nothing may be written now, or null. */
	@Nullable String lack() {
		try {
			long free = this.disk.getUsableSpace();
			return (free >= this.minFreeBytes) ? null
					: "The disk with " + this.directory + " has only " + free / MIB + " MiB left, "
							+ this.minFreeBytes / MIB
							+ " MiB must stay free: make room there; appends go on by themselves then";
		}
		catch (IOException ex) {
			return "The disk with " + this.directory + " can't be asked for its free space: " + ex.getMessage();
		}
	}

}
