package io.parley.log.embedded;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.log.LogUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps some of the disk free. A log that hits a full disk has failed permanently; one
 * that refuses appends before that continues as soon as there is space.
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
			throw new LogUnavailableException("The free space of the disk with " + directory + " can't be determined",
					ex);
		}
	}

	/** Returns why nothing may be written now, or null. */
	@Nullable String shortage() {
		try {
			long free = this.disk.getUsableSpace();
			return (free >= this.minFreeBytes) ? null
					: "The disk with " + this.directory + " has only " + free / MIB + " MiB left, "
							+ this.minFreeBytes / MIB + " MiB must stay free: free some space; appends then resume";
		}
		catch (IOException ex) {
			return "The free space of the disk with " + this.directory + " can't be determined: " + ex.getMessage();
		}
	}

}
