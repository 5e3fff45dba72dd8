package io.parley.store.audit;

import java.time.Instant;
import java.util.List;

import io.parley.store.StoreTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class AuditEventRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final AuditEventRepository events;

	AuditEventRepositoryTests(AuditEventRepository events) {
		this.events = events;
	}

	@Test
	void pagesTheNewestFirstByUserAndAction() {
		add(NOW, "user_created", null, "anna");
		add(NOW, "user_updated", "anna", "bert");
		add(NOW, "user_updated", "olga", "anna");
		List<AuditEvent> all = page("anna", null, Long.MAX_VALUE, 10);
		assertThat(all).extracting(AuditEvent::username).containsExactly("anna", "bert", "anna");
		assertThat(all).extracting(AuditEvent::id).isSortedAccordingTo((one, other) -> Long.compare(other, one));
		assertThat(page("anna", null, all.get(0).id(), 1)).containsExactly(all.get(1));
		assertThat(page("anna", "user_updated", Long.MAX_VALUE, 10)).containsExactly(all.get(0), all.get(1));
		assertThat(page(null, "user_created", Long.MAX_VALUE, 10)).contains(all.get(2));
		assertThat(page("Anna", null, Long.MAX_VALUE, 10)).isEmpty();
		assertThat(all.get(2)).isEqualTo(
				new AuditEvent(all.get(2).id(), NOW, "user_created", null, "anna", null, "node", "{\"by\":\"äöü\"}"));
	}

	@Test
	void removesTheOldOnes() {
		add(NOW.minusMillis(1), "sys_startup", "carl", null);
		add(NOW, "sys_startup", "carl", null);
		assertThat(this.events.removeBefore(NOW)).isPositive();
		assertThat(page("carl", null, Long.MAX_VALUE, 10)).extracting(AuditEvent::at).containsExactly(NOW);
	}

	private void add(Instant at, String action, @Nullable String actor, @Nullable String username) {
		this.events.add(new AuditEvent(0, at, action, actor, username, null, "node", "{\"by\":\"äöü\"}"));
	}

	private List<AuditEvent> page(@Nullable String user, @Nullable String action, long before, int limit) {
		return this.events.page(user, action, before, limit);
	}

}
