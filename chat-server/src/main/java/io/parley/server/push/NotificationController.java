package io.parley.server.push;

import java.security.Principal;
import java.util.List;

import io.parley.server.limits.RateLimits;
import io.parley.server.room.RoomRegistry;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.RoomPushSetting;
import jakarta.validation.Valid;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Reads and changes a user's notification settings, both the general ones and those of a
 * room.
 */
@RestController
class NotificationController {

	private static final String EVERYWHERE = "/api/me/notifications";

	private static final String IN_A_ROOM = "/api/rooms/{room}/notifications";

	private final PushSettingRepository settings;

	private final RoomRegistry rooms;

	private final RateLimits rates;

	NotificationController(PushSettingRepository settings, RoomRegistry rooms, RateLimits rates) {
		this.settings = settings;
		this.rooms = rooms;
		this.rates = rates;
	}

	@GetMapping(EVERYWHERE)
	UserNotifications everywhere(Principal user) {
		String name = user.getName();
		return UserNotifications.of(this.settings.of(List.of(name)).getOrDefault(name, PushSetting.DEFAULT));
	}

	@PutMapping(EVERYWHERE)
	UserNotifications everywhere(@Valid @RequestBody UserNotifications requested, Principal user) {
		this.rates.takeSignal(user.getName());
		PushSetting setting = requested.setting();
		this.settings.save(user.getName(), setting);
		return UserNotifications.of(setting);
	}

	@GetMapping(IN_A_ROOM)
	RoomNotifications inRoom(@PathVariable String room, Principal user) {
		String name = user.getName();
		this.rooms.requireMember(room, name);
		return RoomNotifications.of(this.settings.of(room, List.of(name)).getOrDefault(name, RoomPushSetting.DEFAULT));
	}

	@PutMapping(IN_A_ROOM)
	RoomNotifications inRoom(@PathVariable String room, @Valid @RequestBody RoomNotifications requested,
			Principal user) {
		this.rates.takeSignal(user.getName());
		this.rooms.requireMember(room, user.getName());
		RoomPushSetting setting = requested.setting();
		this.settings.save(room, user.getName(), setting);
		return RoomNotifications.of(setting);
	}

}
