package io.parley.loadtest.study.pooling;

import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.ScratchFolder;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.study.DatabaseOptions;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.study.pooling.ClosedLoop.Level;
import io.parley.loadtest.user.RestApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest pooling}: compares pooled connections with one connection for
 * each query. A case is a chat-server with or without the pool.
 */
@Command(name = "pooling",
		description = "Reads the history with pooled connections to the database, and with one for each query.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PoolingCommand extends StudyCommand<Boolean> {

	private static final int LARGEST_PAGE = 200;

	private static final String TEXT = "What people write to each other is about as long as this sentence, or shorter.";

	@Option(names = "--users", split = ",", description = "Users at once, each level in turn. Default: 10,20,50,100")
	List<Integer> users = List.of(10, 20, 50, 100);

	@Option(names = "--duration", converter = DurationConverter.class,
			description = "How long to measure each level. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--warmup", converter = DurationConverter.class,
			description = "Warm-up before each level, not timed. Default: 10s")
	Duration warmup = Duration.ofSeconds(10);

	@Option(names = "--messages", description = "Messages in the room that is read. Default: 200")
	int messages = 200;

	@Option(names = "--limit", description = "Messages in one answer. Default: 50")
	int limit = 50;

	@Option(names = "--only-without", description = "Omit the server with the pool.")
	boolean onlyWithout;

	@Mixin
	final DatabaseOptions database = new DatabaseOptions();

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	private final List<Level> single = new ArrayList<>();

	private final List<Level> pooled = new ArrayList<>();

	@Override
	protected List<Boolean> cases() {
		require(this.users.stream().allMatch((number) -> number > 0) && this.messages > 0 && this.limit > 0
				&& this.limit <= LARGEST_PAGE && this.duration.isPositive(),
				"--users, --messages and --duration must be above 0, and --limit between 1 and " + LARGEST_PAGE + ".");
		return this.onlyWithout ? List.of(false) : List.of(false, true);
	}

	@Override
	protected String introduction() {
		return String.format(Locale.ROOT,
				"Users read %d of %d messages at the maximum rate: about %s plus the server starts", this.limit,
				this.messages, Figures.text(expected().multipliedBy(this.onlyWithout ? 1 : 2)));
	}

	@Override
	protected String name(Boolean pool) {
		return pool ? "with pool" : "without pool";
	}

	@Override
	protected Duration expected() {
		return this.warmup.plus(this.duration).multipliedBy(this.users.size());
	}

	@Override
	protected void run(Boolean pool, Resources open) throws InterruptedException {
		ClosedLoop loop = open.add(new ClosedLoop(newestPage(pool, open), Interrupt::requested));
		for (int number : this.users) {
			loop.run(number, this.warmup);
			Level level = loop.run(number, this.duration);
			if (Interrupt.requested()) {
				return;
			}
			(pool ? this.pooled : this.single).add(level);
			System.out.printf(Locale.ROOT, "%s pool, %3d users: %7.2f ms on average, %,9.1f answers/s, %,d errors %s%n",
					pool ? "with   " : "without", number, level.mean(), level.rate(), level.failed(),
					level.errors().isEmpty() ? "" : level.errors());
		}
	}

	/**
	 * Starts a chat-server, fills a room, and returns a request for its newest messages.
	 */
	private HttpRequest.Builder newestPage(boolean pool, Resources open) {
		Path folder = open.add(new ScratchFolder()).path();
		LocalServer server = open.add(LocalServer.start(this.serverJar, List.of(), settings(pool, folder)));
		try (RestApi api = new RestApi(server.url())) {
			String token = StudyUsers.signUp(api, 1).getFirst().token();
			String room = api.createRoom(token, "history", 2);
			for (int n = 0; n < this.messages; n++) {
				api.postMessage(token, room, "m-" + n, TEXT);
			}
			return HttpRequest.newBuilder(server.url().resolve("/api/rooms/" + room + "/messages?limit=" + this.limit))
				.header("Authorization", "Bearer " + token);
		}
	}

	List<String> settings(boolean pool, Path folder) {
		// DB_CLOSE_DELAY: without a pool, the last connection would otherwise close the
		// H2 file, and the next one would open it again.
		String url = this.database.url(folder) + (this.database.isGiven() ? "" : ";DB_CLOSE_DELAY=-1");
		List<String> settings = new ArrayList<>(this.database.settings(url));
		settings.add("chat.security.jwt.access-ttl=1d");
		if (!pool) {
			settings.add("spring.datasource.type=org.springframework.jdbc.datasource.SimpleDriverDataSource");
		}
		return settings;
	}

	@Override
	protected Findings findings() {
		return new PoolingReport(this.single, this.pooled).findings();
	}

}
