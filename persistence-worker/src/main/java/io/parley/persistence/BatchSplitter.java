package io.parley.persistence;

import java.util.ArrayList;
import java.util.List;

import io.parley.log.LogRecord;

/** Splits a batch of records into transactions of a bounded size. */
final class BatchSplitter {

	/** Keeps statements below the packet size and transactions short. */
	static final int MAX_BYTES = 4 * 1024 * 1024;

	private BatchSplitter() {
	}

	/**
	 * Returns the records in the same order, in parts of at most 4 MiB each, or of one
	 * record.
	 */
	static List<List<LogRecord>> split(List<LogRecord> records) {
		List<List<LogRecord>> parts = new ArrayList<>();
		int from = 0;
		long bytes = 0;
		for (int i = 0; i < records.size(); i++) {
			int length = records.get(i).data().length;
			if (i > from && bytes + length > MAX_BYTES) {
				parts.add(records.subList(from, i));
				from = i;
				bytes = 0;
			}
			bytes += length;
		}
		parts.add(records.subList(from, records.size()));
		return parts;
	}

}
