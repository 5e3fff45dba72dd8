package io.parley.store.push;

import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** The row of a {@link PushSetting}. */
@Entity
@Table(name = "push_setting")
class UserPushSetting {

	@Id
	private String username;

	@Embedded
	private PushSetting setting;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected UserPushSetting() {
	}

	String getUsername() {
		return this.username;
	}

	PushSetting getSetting() {
		return this.setting;
	}

}
