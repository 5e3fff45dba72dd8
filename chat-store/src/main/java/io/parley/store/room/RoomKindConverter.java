package io.parley.store.room;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores a {@link RoomKind} by its wire name. */
@Converter(autoApply = true)
class RoomKindConverter implements AttributeConverter<RoomKind, String> {

	@Override
	public String convertToDatabaseColumn(RoomKind kind) {
		return kind.wireName();
	}

	@Override
	public RoomKind convertToEntityAttribute(String column) {
		return RoomKind.ofWireName(column);
	}

}
