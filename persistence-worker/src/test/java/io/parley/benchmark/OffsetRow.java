package io.parley.benchmark;

import java.io.Serializable;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;

/** A row of {@code reader_offset} as an entity. */
@Entity
@Table(name = "reader_offset")
@IdClass(OffsetRow.Key.class)
public class OffsetRow {

	/** Moves the offset, unless the reader has already reached a newer epoch. */
	public static final String UPDATE = """
			UPDATE OffsetRow o SET o.epoch = :epoch, o.nextOffset = :next
			WHERE o.reader = :reader AND o.partitionNo = :partition AND o.epoch <= :epoch""";

	@Id
	private String reader;

	@Id
	private int partitionNo;

	private long epoch;

	private long nextOffset;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected OffsetRow() {
	}

	/** The reader and the partition. */
	public record Key(String reader, int partitionNo) implements Serializable {
	}

}
