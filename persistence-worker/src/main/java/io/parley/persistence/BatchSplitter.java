package io.parley.persistence;

import java.util.ArrayList;
import java.util.List;

import io.parley.log.LogRecord;

/** Cuts what was read into transactions of a bounded size. */
final class BatchSplitter {

	/** Keeps statements below the packet size and the transaction short. */
	static final int MAX_BYTES = 4 * 1024 * 1024;

	private BatchSplitter() {
	}

	/** In the same order, each of 4 MiB at the most, or of one record. */
	static List<List<LogRecord>> of(List<LogRecord> records) {
		List<List<LogRecord>> portions = new ArrayList<>();
		int from = 0;
		long bytes = 0;
		for (int i = 0; i < records.size(); i++) {
			int length = records.get(i).data().length;
			if (i > from && bytes + length > MAX_BYTES) {
				portions.add(records.subList(from, i));
				from = i;
				bytes = 0;
			}
			bytes += length;
		}
		portions.add(records.subList(from, records.size()));
		return portions;
	}

}
