package io.parley.server.room;

import java.security.Principal;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.RoomSettings;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Changes the name, the topic and the other settings of a room. */
@RestController
@RequestMapping("/api/rooms/{room}")
class RoomSettingsController {

	/** Six hours. */
	private static final int SLOWEST = 21_600;

	private final RoomSettingsChanges settings;

	private final RoomRegistry rooms;

	private final RoomViews views;

	private final RateLimits rates;

	RoomSettingsController(RoomSettingsChanges settings, RoomRegistry rooms, RoomViews views, RateLimits rates) {
		this.settings = settings;
		this.rooms = rooms;
		this.views = views;
		this.rates = rates;
	}

	/**
	 * The changes; a null leaves the setting as it is.
	 *
	 * @param topic "" for none
	 * @param slowMode the seconds between two messages of a member; 0 for none
	 * @param memberPins whether members may pin messages
	 */
	record Wanted(@Nullable String name, @Nullable String topic,
			@Nullable @PositiveOrZero @Max(SLOWEST) Integer slowMode, @Nullable Boolean memberPins) {

		private boolean isEmpty() {
			return isSlowModeOnly() && this.slowMode == null;
		}

		private boolean isSlowModeOnly() {
			return this.name == null && this.topic == null && this.memberPins == null;
		}

		/** Returns the settings with the wanted values. */
		private RoomSettings in(RoomSettings settings) {
			return new RoomSettings((this.name != null) ? this.name : settings.name(),
					(this.topic != null) ? this.topic : settings.topic(),
					(this.slowMode != null) ? this.slowMode : settings.slowMode(),
					(this.memberPins != null) ? this.memberPins : settings.memberPins());
		}

	}

	/**
	 * @param seconds between two messages of a member; 0 for none
	 */
	record SlowMode(@NotNull @PositiveOrZero @Max(SLOWEST) Integer seconds) {
	}

	@PatchMapping
	RoomViews.Detailed change(@PathVariable String room, @Valid @RequestBody Wanted wanted, Principal user) {
		this.rates.takeSignal(user.getName());
		if (wanted.isEmpty()) {
			throw ErrorCode.BAD_REQUEST.because("Give what to change: 'name', 'topic', 'slowMode' or 'memberPins'.");
		}
		change(room, user.getName(),
				new Wanted((wanted.name() != null) ? RoomText.name(wanted.name()) : null,
						(wanted.topic() != null) ? RoomText.topic(wanted.topic()) : null, wanted.slowMode(),
						wanted.memberPins()));
		return this.views.detailed(this.rooms.requireMember(room, user.getName()), user.getName());
	}

	@PutMapping("/slow-mode")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void slowMode(@PathVariable String room, @Valid @RequestBody SlowMode wanted, Principal user) {
		this.rates.takeSignal(user.getName());
		change(room, user.getName(), new Wanted(null, null, wanted.seconds(), null));
	}

	private void change(String room, String user, Wanted wanted) {
		this.settings.change(room, user, wanted.isSlowModeOnly() ? RoomAction.SLOW_MODE : RoomAction.CHANGE_ROOM,
				wanted::in);
	}

}
