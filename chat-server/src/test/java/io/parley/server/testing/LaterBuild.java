package io.parley.server.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** Writes records of a type that this build does not know, as a later build would. */
public final class LaterBuild {

	/** The name of the unknown type. */
	public static final String TYPE = "poll.changed";

	private static final int COUNTS = 1;

	private static final int STOP = 8;

	private LaterBuild() {
	}

	/** Returns an event that takes a number, with the client id of its sender. */
	public static byte[] counting(String room, String sender, String clientId) {
		return record(room, sender, clientId, COUNTS);
	}

	/** Returns an event that takes no number. */
	public static byte[] plain(String room, String sender, String clientId) {
		return record(room, sender, clientId, 0);
	}

	/** Returns an event at which a reader must stop if it does not know the type. */
	public static byte[] stopping(String room, String sender, String clientId) {
		return record(room, sender, clientId, STOP);
	}

	/** Returns a record in a format that this build does not know. */
	public static byte[] unreadable(String room) {
		byte[] record = record(room, "anna", "c", 0);
		record[0] = 3;
		return record;
	}

	private static byte[] record(String room, String sender, String clientId, int flags) {
		String id = UUID.randomUUID().toString();
		String tail = "\"id\":\"%s\",\"sender\":\"%s\",\"clientId\":\"%s\",\"sentAt\":\"2026-11-20T22:26:56.298Z\",\"votes\":[1,2.50]}"
			.formatted(id, sender, clientId);
		try {
			byte[] header = header(room, sender, clientId, flags, id);
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			DataOutputStream out = new DataOutputStream(bytes);
			out.writeByte(2);
			out.writeInt(header.length);
			out.write(header);
			out.writeInt(3);
			out.write(new byte[] { 1, 2, 3 });
			out.write(tail.getBytes(StandardCharsets.UTF_8));
			return bytes.toByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] header(String room, String sender, String clientId, int flags, String id) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeShort(77);
		out.writeShort(flags);
		out.writeLong(Instant.parse("2026-11-20T22:26:56.298Z").toEpochMilli());
		out.writeLong(5);
		out.writeLong(0);
		for (String string : new String[] { room, id, sender, clientId, TYPE }) {
			out.writeUTF(string);
		}
		out.write("added later".getBytes(StandardCharsets.UTF_8));
		return bytes.toByteArray();
	}

}
