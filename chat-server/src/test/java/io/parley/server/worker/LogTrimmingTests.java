package io.parley.server.worker;

import io.parley.log.RoomLog;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.dao.QueryTimeoutException;

class LogTrimmingTests {

	private final RoomLog log = Mockito.mock(RoomLog.class);

	private final ReaderOffsets offsets = Mockito.mock(ReaderOffsets.class);

	private final LogTrimming trimming = new LogTrimming(this.log, this.offsets, Mockito.mock(PositionConverter.class));

	@BeforeEach
	void logOfTwoPartitions() {
		BDDMockito.given(this.log.partitions()).willReturn(2);
	}

	@Test
	void trimsByTheLastKnownOffsetsWhileTheDatabaseIsAway() {
		BDDMockito.given(this.offsets.lowest(0, 0, LogTrimming.READERS)).willReturn(5L);
		BDDMockito.given(this.offsets.lowest(1, 0, LogTrimming.READERS)).willReturn(7L);
		this.trimming.trim();
		BDDMockito.given(this.offsets.lowest(0, 0, LogTrimming.READERS)).willThrow(new QueryTimeoutException("away"));
		this.trimming.trim();
		Mockito.verify(this.log, Mockito.times(2)).trim(0, 5);
		Mockito.verify(this.log, Mockito.times(2)).trim(1, 7);
	}

	@Test
	void trimsNothingBeforeTheDatabaseHasAnswered() {
		BDDMockito.given(this.offsets.lowest(0, 0, LogTrimming.READERS)).willThrow(new QueryTimeoutException("away"));
		this.trimming.trim();
		Mockito.verify(this.log, Mockito.never()).trim(Mockito.anyInt(), Mockito.anyLong());
	}

}
