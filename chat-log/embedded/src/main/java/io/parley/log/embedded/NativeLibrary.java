package io.parley.log.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

import io.parley.log.LogUnavailableException;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library from a fixed location. RocksDB's own mechanism leaves a
 * copy in the temp directory each time the process is killed.
 */
final class NativeLibrary {

	private static boolean loaded;

	private NativeLibrary() {
	}

	/**
	 * Loads the library; does nothing if this JVM has loaded it already.
	 * @param directory where the copy is kept; no other process may use it at the same
	 * time
	 */
	static synchronized void load(Path directory) {
		if (loaded) {
			return;
		}
		try {
			// RocksDB looks for this name in the given directory; in its jar the library
			// has another name.
			Path copy = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
			URL original = original();
			if (!isCopy(copy, original)) {
				copy(original, copy);
			}
			RocksDB.loadLibrary(List.of(directory.toAbsolutePath().toString()));
			loaded = true;
		}
		catch (IOException | UnsatisfiedLinkError ex) {
			throw new LogUnavailableException("RocksDB's native library can't be loaded from " + directory
					+ ": the directory must be writable and not mounted noexec", ex);
		}
	}

	private static URL original() {
		String name = Environment.getJniLibraryFileName("rocksdb");
		URL url = RocksDB.class.getClassLoader().getResource(name);
		if (url == null) {
			throw new LogUnavailableException("This build of Parley is for another platform: it has no " + name
					+ ". Build it on this platform, or for it by -Drocksdb.platform=" + platform(name));
		}
		return url;
	}

	private static String platform(String library) {
		return library.substring("librocksdbjni-".length(), library.lastIndexOf('.'));
	}

	private static boolean isCopy(Path file, URL original) throws IOException {
		return Files.exists(file) && original.openConnection() instanceof JarURLConnection jar
				&& jar.getJarEntry().getCrc() == crc(file);
	}

	private static long crc(Path file) throws IOException {
		try (CheckedInputStream in = new CheckedInputStream(Files.newInputStream(file), new CRC32())) {
			in.transferTo(OutputStream.nullOutputStream());
			return in.getChecksum().getValue();
		}
	}

	/** Copies the library. A half-written copy never has the final name. */
	private static void copy(URL original, Path target) throws IOException {
		Files.createDirectories(target.toAbsolutePath().getParent());
		Path part = target.resolveSibling(target.getFileName() + ".part");
		try (InputStream in = original.openStream();
				FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE,
						StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
			in.transferTo(Channels.newOutputStream(out));
			out.force(true);
		}
		Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
	}

}
