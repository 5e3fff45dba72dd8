package io.parley.store.push;

import java.io.Serializable;

import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** The row of a {@link RoomPushSetting}. */
@Entity
@Table(name = "room_push_setting")
@IdClass(MemberPushSetting.Key.class)
class MemberPushSetting {

	@Id
	private String username;

	@Id
	@Column(name = "room_id")
	private String room;

	/** Null if all columns are null. */
	@Embedded
	private @Nullable RoomPushSetting setting;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected MemberPushSetting() {
	}

	String getUsername() {
		return this.username;
	}

	RoomPushSetting getSetting() {
		return (this.setting != null) ? this.setting : RoomPushSetting.DEFAULT;
	}

	record Key(String username, String room) implements Serializable {
	}

}
