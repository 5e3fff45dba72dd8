package io.parley.conformance;

import java.util.List;

import io.parley.server.testing.BackendCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on two servers, between which the devices change. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersConversationTests {

	private static final int STEPS = Boolean.getBoolean("parley.test.full-size") ? 200 : 40;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	@Test
	void allDevicesEndInTheStateOfTheView() throws Exception {
		new RandomConversation(List.of(servers.get().one(), servers.get().two())).run(STEPS);
	}

}
