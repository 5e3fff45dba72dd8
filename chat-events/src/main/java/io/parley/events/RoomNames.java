package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The grammar of room ids, and the mapping of rooms to partitions of the log. */
public final class RoomNames {

	private static final int MAX_LENGTH = 64;

	private RoomNames() {
	}

	/**
	 * Returns whether the id consists of 1 to 64 ASCII letters, digits, {@code _} or
	 * {@code -}.
	 */
	public static boolean isValid(String room) {
		for (int i = 0; i < room.length(); i++) {
			if (!isValid(room.charAt(i))) {
				return false;
			}
		}
		return !room.isEmpty() && room.length() <= MAX_LENGTH;
	}

	private static boolean isValid(char c) {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-';
	}

	/**
	 * Returns the partition of a room, from 0. The result is the same on every node and
	 * in every version, because all events of a room must stay in one partition.
	 */
	public static int partition(String room, int partitions) {
		CRC32C crc = new CRC32C();
		crc.update(room.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % partitions);
	}

}
