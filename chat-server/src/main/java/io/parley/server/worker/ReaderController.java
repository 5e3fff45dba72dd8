package io.parley.server.worker;

import java.util.List;
import java.util.Map;

import io.parley.log.RoomLog;
import io.parley.server.error.ErrorCode;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows operators how far the workers have read the log, and what they have parked. */
@RestController
class ReaderController {

	private static final int MAX_PAGE = 500;

	private final RoomLog log;

	private final PositionConverter positions;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	ReaderController(RoomLog log, PositionConverter positions, ReaderOffsets offsets, ParkedEvents parked) {
		this.log = log;
		this.positions = positions;
		this.offsets = offsets;
		this.parked = parked;
	}

	/**
	 * A worker that reads the log, wherever it runs.
	 *
	 * @param unread the number of records that it has not handled
	 * @param partitions the number of partitions with such records
	 * @param parked the number of records that it could not handle
	 */
	record Reader(String name, long unread, long partitions, long parked) {
	}

	@GetMapping("/api/operator/readers")
	List<Reader> readers() {
		return LogTrimming.READERS.stream().map(this::reader).toList();
	}

	private Reader reader(String name) {
		Map<Integer, Long> next = this.offsets.next(name, this.positions.epoch());
		long unread = 0;
		long behind = 0;
		for (int partition = 0; partition < this.log.partitions(); partition++) {
			long read = Math.max(next.getOrDefault(partition, 0L), this.log.startOffset(partition));
			long left = Math.max(0, this.log.endOffset(partition) - read);
			unread += left;
			behind += (left > 0) ? 1 : 0;
		}
		return new Reader(name, unread, behind, this.parked.count(name));
	}

	/** Returns the newest records that a worker has parked. */
	@GetMapping("/api/operator/parked")
	List<ParkedEvents.Summary> parked(@RequestParam(defaultValue = ReaderOffsets.PERSISTENCE) String reader,
			@RequestParam(defaultValue = "100") int limit) {
		if (!LogTrimming.READERS.contains(reader)) {
			throw ErrorCode.BAD_REQUEST.because("'reader' must be one of " + LogTrimming.READERS + ".");
		}
		if (limit < 1 || limit > MAX_PAGE) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be 1 to " + MAX_PAGE + ".");
		}
		return this.parked.newest(reader, limit);
	}

}
