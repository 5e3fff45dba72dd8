package io.parley.store.account;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores an {@link AccountState} by its wire name. */
@Converter(autoApply = true)
class AccountStateConverter implements AttributeConverter<AccountState, String> {

	@Override
	public String convertToDatabaseColumn(AccountState state) {
		return state.wireName();
	}

	@Override
	public AccountState convertToEntityAttribute(String column) {
		return AccountState.ofWireName(column);
	}

}
