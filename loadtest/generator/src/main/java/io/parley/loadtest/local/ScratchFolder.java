package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

/**
 * A temporary folder that is deleted when it is closed, or when this JVM ends.
 */
public final class ScratchFolder extends ClosedAtExit {

	private final Path path = ChildProcess.folder();

	public ScratchFolder() {
		closeAtExit();
	}

	public Path path() {
		return this.path;
	}

	@Override
	void end() {
		delete(this.path);
	}

	/**
	 * Deletes a folder with its content, if it exists.
	 */
	static void delete(Path folder) {
		try {
			FileSystemUtils.deleteRecursively(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
