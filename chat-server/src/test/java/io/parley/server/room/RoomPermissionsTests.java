package io.parley.server.room;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.RoomRole;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RoomPermissionsTests {

	private static final Map<RoomAction, Set<RoomRole>> ALLOWED = Map.ofEntries(
			Map.entry(RoomAction.READ, EnumSet.allOf(RoomRole.class)),
			Map.entry(RoomAction.POST, EnumSet.of(RoomRole.MEMBER, RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.PREPARE, EnumSet.of(RoomRole.MEMBER, RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.TYPE, EnumSet.of(RoomRole.MEMBER, RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.ADD_MEMBER, EnumSet.of(RoomRole.MEMBER, RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.INVITE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.LIFT_BAN, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.REMOVE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.MUTE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.CHANGE_ROLE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.DELETE_MESSAGE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.MENTION_ROOM, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.PIN, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.PIN_AS_MEMBER, EnumSet.of(RoomRole.MEMBER, RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.CHANGE_ROOM, EnumSet.of(RoomRole.OWNER)),
			Map.entry(RoomAction.SLOW_MODE, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)),
			Map.entry(RoomAction.HANDLE_REPORTS, EnumSet.of(RoomRole.MODERATOR, RoomRole.OWNER)));

	@ParameterizedTest
	@EnumSource
	void allowWhatTheTableSays(RoomAction action) {
		assertThat(Arrays.stream(RoomRole.values()).filter((role) -> RoomPermissions.allows(action, role)))
			.containsExactlyInAnyOrderElementsOf(ALLOWED.get(action));
	}

	@Test
	void actOnLowerRolesAndNonMembersOnly() {
		for (RoomRole role : RoomRole.values()) {
			for (RoomRole target : RoomRole.values()) {
				ThrowingCallable remove = () -> RoomPermissions.requireOn(RoomAction.REMOVE, role, target);
				assertDecision(role.compareTo(RoomRole.MODERATOR) >= 0 && role.compareTo(target) > 0, remove);
			}
			assertDecision(role.compareTo(RoomRole.MODERATOR) >= 0,
					() -> RoomPermissions.requireOn(RoomAction.REMOVE, role, null));
		}
	}

	@ParameterizedTest
	@CsvSource({ "OWNER, READER, OWNER, true", "OWNER, READER, MODERATOR, true", "OWNER, MODERATOR, OWNER, true",
			"OWNER, MODERATOR, READER, true", "MODERATOR, READER, MEMBER, true", "MODERATOR, MEMBER, READER, true",
			"MODERATOR, MEMBER, MODERATOR, false", "MODERATOR, MEMBER, OWNER, false",
			"MODERATOR, MODERATOR, MEMBER, false", "MODERATOR, OWNER, READER, false", "MEMBER, READER, MEMBER, false",
			"MEMBER, READER, READER, false", "READER, READER, MEMBER, false" })
	void giveRolesToOthers(RoomRole role, RoomRole target, RoomRole given, boolean allowed) {
		assertDecision(allowed, () -> RoomPermissions.requireRole(role, false, target, given));
	}

	@ParameterizedTest
	@CsvSource({ "OWNER, OWNER, true", "OWNER, MODERATOR, false", "OWNER, READER, false", "MODERATOR, OWNER, false",
			"MODERATOR, MEMBER, true", "MODERATOR, READER, true", "MEMBER, MODERATOR, false", "MEMBER, READER, false",
			"READER, MEMBER, false" })
	void letModeratorsStepDown(RoomRole role, RoomRole given, boolean allowed) {
		assertDecision(allowed, () -> RoomPermissions.requireRole(role, true, role, given));
	}

	private static void assertDecision(boolean allowed, ThrowingCallable decision) {
		if (allowed) {
			org.assertj.core.api.Assertions.assertThatCode(decision).doesNotThrowAnyException();
		}
		else {
			assertThatExceptionOfType(ChatException.class).isThrownBy(decision)
				.satisfies((ex) -> assertThat(ex.errorCode()).isEqualTo(ErrorCode.NOT_ALLOWED));
		}
	}

}
