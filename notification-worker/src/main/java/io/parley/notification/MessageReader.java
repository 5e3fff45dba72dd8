package io.parley.notification;

import java.util.List;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogRecord;
import io.parley.log.worker.BatchHandler;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes the messages out of the log. After a failure it goes on with the record that
 * failed: only that one's pushes may be repeated.
 */
class MessageReader implements BatchHandler {

	private final TransactionTemplate transaction;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final MessagePusher pusher;

	private final long epoch;

	MessageReader(TransactionTemplate transaction, ReaderOffsets offsets, ParkedEvents parked, MessagePusher pusher,
			long epoch) {
		this.transaction = transaction;
		this.offsets = offsets;
		this.parked = parked;
		this.pusher = pusher;
		this.epoch = epoch;
	}

	@Override
	public long nextOffset(int partition) {
		return this.offsets.next(NotificationWorker.READER, partition, this.epoch);
	}

	@Override
	public void handle(int partition, List<LogRecord> batch) {
		long stored = nextOffset(partition);
		long done = stored;
		MessagePusher.Batch pushes = this.pusher.batch();
		try {
			for (LogRecord record : batch) {
				if (record.offset() >= stored) {
					read(record, pushes);
					done = record.offset() + 1;
				}
			}
		}
		finally {
			if (done > stored) {
				commit(partition, done);
			}
		}
	}

	private void commit(int partition, long nextOffset) {
		this.transaction.executeWithoutResult((status) -> {
			if (this.offsets.lock(NotificationWorker.READER, partition, this.epoch) < nextOffset) {
				this.offsets.commit(NotificationWorker.READER, partition, this.epoch, nextOffset);
			}
		});
	}

	private void read(LogRecord record, MessagePusher.Batch pushes) {
		MessagePosted message;
		try {
			EventRecord event = EventRecord.decode(record.data());
			if (!event.type().isMessage()) {
				return;
			}
			message = (MessagePosted) event.event();
		}
		catch (UnreadableEventException ex) {
			park(record, ex);
			return;
		}
		pushes.push(message, Positions.of(this.epoch, record.offset()));
	}

	/** With its offset, so that it is parked once. */
	private void park(LogRecord record, UnreadableEventException reason) {
		this.transaction.executeWithoutResult((status) -> {
			this.parked.park(NotificationWorker.READER, record.partition(), this.epoch, record.offset(),
					String.valueOf(reason.getMessage()), record.data());
			this.offsets.commit(NotificationWorker.READER, record.partition(), this.epoch, record.offset() + 1);
		});
	}

}
