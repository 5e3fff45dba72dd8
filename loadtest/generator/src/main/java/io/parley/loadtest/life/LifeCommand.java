package io.parley.loadtest.life;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.user.People;
import io.parley.loadtest.user.People.SignedIn;
import io.parley.loadtest.user.RestApi;
import io.parley.loadtest.user.RoomPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest life}: users who do what the bundled page does.
 */
@Command(name = "life",
		description = "Users with many rooms, most of them quiet, do what the page does: load the list, follow each"
				+ " room, open rooms, read, type, write, lose the connection and come back. Checks every delivery, and"
				+ " counts the statements of the database for each of these.",
		mixinStandardHelpOptions = true)
public final class LifeCommand extends TrialCommand {

	@Mixin
	private final Target target = new Target();

	@Mixin
	private final LifeOptions options = new LifeOptions();

	@Override
	protected RunReport run(Trial trial) {
		Path file = this.options.people;
		People people = (file != null && Files.exists(file)) ? People.read(file) : null;
		if (people != null) {
			this.options.users = people.persons().size();
		}
		this.options.check(this.target);
		Preconditions.checkReady(this.target);
		trial.watch(this.target.serverPid);
		try (RestApi api = new RestApi(this.target.url)) {
			if (people == null) {
				people = People.create(api, trial.run, this.options.users,
						RoomPlan.of(this.options.users, this.options.roomsPerUser, this.options.seed));
				if (file != null) {
					people.write(file);
				}
			}
			if (this.options.prepare) {
				String prepared = String.format(Locale.ROOT, "life --prepare, %,d users and %,d rooms",
						people.persons().size(), people.rooms().size());
				return trial.finish(true, prepared, prepared + " exist and are in " + file + ".");
			}
			List<SignedIn> signedIn = people.signIn(api);
			try (LifeTrial life = new LifeTrial(this.options, this.target, trial, api, people, signedIn)) {
				return life.run();
			}
		}
	}

}
