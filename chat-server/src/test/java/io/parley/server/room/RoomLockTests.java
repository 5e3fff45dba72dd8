package io.parley.server.room;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomRoleRepository;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stored role decides, also before this server has heard that another server changed
 * it.
 */
@UnlimitedServer
class RoomLockTests {

	private final ChatServer server;

	private final RoomRoleRepository roles;

	private final TransactionTemplate transaction;

	RoomLockTests(ChatServer server, RoomRoleRepository roles, TransactionTemplate transaction) {
		this.server = server;
		this.roles = roles;
		this.transaction = transaction;
	}

	@Test
	void aRoleThatAnotherServerGaveCountsAtOnce() {
		String room = this.server.channel("lena", "mark");
		ChatApi mark = this.server.user("mark");
		String bans = "/api/rooms/" + room + "/bans";
		assertThat(mark.get(bans).expect(403).code()).isEqualTo("not-allowed");
		changeElsewhere(room, "mark", RoomRole.MODERATOR);
		mark.get(bans).expect(200);
	}

	@Test
	void aRoleThatAnotherServerTookCountsAtOnce() {
		String room = this.server.channel("lena", "mark");
		ChatApi mark = this.server.user("mark");
		String bans = "/api/rooms/" + room + "/bans";
		this.server.user("lena").changeRole(room, "mark", "moderator").expect(200);
		mark.get(bans).expect(200);
		changeElsewhere(room, "mark", RoomRole.MEMBER);
		assertThat(mark.get(bans).expect(403).code()).isEqualTo("not-allowed");
	}

	/** As another server does before its signal arrives. */
	private void changeElsewhere(String room, String user, RoomRole role) {
		this.transaction.executeWithoutResult((status) -> this.roles.change(room, user, role));
	}

}
