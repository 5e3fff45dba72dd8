package io.parley.loadtest.study.client;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import io.parley.loadtest.user.RestApi;

/**
 * Signs up the users of a study that creates its rooms itself.
 */
public final class StudyUsers {

	private StudyUsers() {
	}

	/**
	 * Signs up new users.
	 * @throws io.parley.loadtest.cli.LoadTestException when the server rejects a request
	 */
	public static List<Account> signUp(RestApi api, int users) {
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		return new Population(api, run, 1).create(users);
	}

}
