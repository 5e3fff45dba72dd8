package io.parley.store.account;

import java.time.Instant;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The links with which people register and set passwords. */
@StoreTest
class LinkTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private static final Instant END = NOW.plusSeconds(60);

	private final AccountInviteRepository invites;

	private final PasswordResets resets;

	LinkTests(AccountInviteRepository invites, PasswordResets resets) {
		this.invites = invites;
		this.resets = resets;
	}

	@Test
	void anInvitationHasUsesAndAnEnd() {
		AccountInvite invite = new AccountInvite("i1", "olga", NOW, END, 2, 0);
		this.invites.add(invite, "hash-1");
		assertThat(this.invites.valid(NOW, 10)).contains(invite);
		assertThat(this.invites.isUsable("hash-1", NOW)).isTrue();
		assertThat(this.invites.isUsable("hash-1", END)).isFalse();
		assertThat(this.invites.isUsable("Hash-1", NOW)).isFalse();
		assertThat(this.invites.take("hash-1", END)).isFalse();
		assertThat(this.invites.take("hash-1", NOW)).isTrue();
		assertThat(this.invites.take("hash-1", NOW)).isTrue();
		assertThat(this.invites.take("hash-1", NOW)).isFalse();
		assertThat(this.invites.isUsable("hash-1", NOW)).isFalse();
		assertThat(this.invites.valid(NOW, 10)).contains(new AccountInvite("i1", "olga", NOW, END, 2, 2));
		assertThat(this.invites.valid(END, 10)).isEmpty();
		assertThat(this.invites.removeExpired(END)).isZero();
		assertThat(this.invites.removeExpired(END.plusMillis(1))).isEqualTo(1);
		assertThat(this.invites.remove("i1")).isFalse();
	}

	@Test
	void aUserHasOneResetLinkThatWorksOnce() {
		this.resets.replace("anna", "hash-a", END);
		this.resets.replace("anna", "hash-b", END);
		assertThat(this.resets.findUser("hash-a", NOW)).isEmpty();
		assertThat(this.resets.take("hash-a", NOW)).isFalse();
		assertThat(this.resets.findUser("hash-b", NOW)).contains("anna");
		assertThat(this.resets.findUser("hash-b", END)).isEmpty();
		assertThat(this.resets.take("hash-b", END)).isFalse();
		assertThat(this.resets.take("hash-b", NOW)).isTrue();
		assertThat(this.resets.take("hash-b", NOW)).isFalse();
		assertThat(this.resets.findUser("hash-b", NOW)).isEmpty();
		this.resets.replace("anna", "hash-c", END);
		this.resets.remove("anna");
		assertThat(this.resets.take("hash-c", NOW)).isFalse();
	}

}
