package io.parley.store.room;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores a {@link RoomRole} by its wire name. */
@Converter(autoApply = true)
class RoomRoleConverter implements AttributeConverter<RoomRole, String> {

	@Override
	public String convertToDatabaseColumn(RoomRole role) {
		return role.wireName();
	}

	@Override
	public RoomRole convertToEntityAttribute(String column) {
		return RoomRole.ofWireName(column);
	}

}
