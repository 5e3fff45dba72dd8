package io.parley.fakefcm;

import java.nio.charset.StandardCharsets;

/**
 * Counts strings by a 64-bit hash, with 12 bytes per slot, so that millions of strings
 * fit into memory. Reports whether all strings fitted. Safe for use by many threads.
 */
final class LongCounts {

	private static final int MAX_SLOTS = 1 << 23;

	private final int maxSlots;

	private long[] keys = new long[1 << 10];

	private int[] counts = new int[1 << 10];

	private int size;

	private boolean complete = true;

	LongCounts() {
		this(MAX_SLOTS);
	}

	LongCounts(int maxSlots) {
		this.maxSlots = maxSlots;
	}

	/**
	 * Increments the count of a string and returns the new count; 1 when the string does
	 * not fit.
	 */
	synchronized int add(String value) {
		long key = hash(value);
		int slot = slot(this.keys, key);
		if (this.keys[slot] == key) {
			return ++this.counts[slot];
		}
		if (this.size >= this.keys.length / 4 * 3) {
			if (this.keys.length >= this.maxSlots) {
				this.complete = false;
				return 1;
			}
			grow();
			slot = slot(this.keys, key);
		}
		this.keys[slot] = key;
		this.counts[slot] = 1;
		this.size++;
		return 1;
	}

	synchronized int count(String value) {
		long key = hash(value);
		int slot = slot(this.keys, key);
		return (this.keys[slot] == key) ? this.counts[slot] : 0;
	}

	/**
	 * Returns the number of distinct strings.
	 */
	synchronized int size() {
		return this.size;
	}

	/**
	 * Returns whether all strings fitted.
	 */
	synchronized boolean isComplete() {
		return this.complete;
	}

	private void grow() {
		long[] newKeys = new long[this.keys.length * 2];
		int[] newCounts = new int[newKeys.length];
		for (int old = 0; old < this.keys.length; old++) {
			if (this.keys[old] != 0) {
				int slot = slot(newKeys, this.keys[old]);
				newKeys[slot] = this.keys[old];
				newCounts[slot] = this.counts[old];
			}
		}
		this.keys = newKeys;
		this.counts = newCounts;
	}

	/**
	 * Returns the slot that holds the key, or the free slot for it.
	 */
	private static int slot(long[] keys, long key) {
		int slot = (int) (key ^ (key >>> 32)) & (keys.length - 1);
		while (keys[slot] != 0 && keys[slot] != key) {
			slot = (slot + 1) & (keys.length - 1);
		}
		return slot;
	}

	/**
	 * Returns the FNV-1a hash with a final mix. It is never 0, which marks an empty slot.
	 */
	private static long hash(String value) {
		long hash = 0xcbf29ce484222325L;
		for (byte next : value.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (next & 0xff)) * 0x100000001b3L;
		}
		hash = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
		return (hash == 0) ? 1 : hash;
	}

}
