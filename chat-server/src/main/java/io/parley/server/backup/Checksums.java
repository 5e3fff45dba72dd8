package io.parley.server.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Writes the file {@code SHA256SUMS} in the format of {@code sha256sum -c}. */
final class Checksums {

	private Checksums() {
	}

	/** Writes the checksums of all files below the directory. */
	static void write(Path folder) throws IOException {
		List<String> lines = new ArrayList<>();
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
				lines.add(sha256(file) + "  " + folder.relativize(file).toString().replace('\\', '/'));
			}
		}
		Files.write(folder.resolve("SHA256SUMS"), lines);
	}

	private static String sha256(Path file) throws IOException {
		try (InputStream bytes = Files.newInputStream(file);
				DigestInputStream digest = new DigestInputStream(bytes, MessageDigest.getInstance("SHA-256"))) {
			digest.transferTo(OutputStream.nullOutputStream());
			return HexFormat.of().formatHex(digest.getMessageDigest().digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

}
