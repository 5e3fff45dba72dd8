package io.parley.loadtest.trial;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Mixin;

/**
 * A command that measures a running server: it checks the options, signs up users, checks
 * that their tokens last, and then runs.
 */
public abstract class TargetCommand extends TrialCommand {

	@Mixin
	protected final Target target = new Target();

	/**
	 * Checks that the options are valid together and fit the target, before anything is
	 * sent.
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	protected abstract void check();

	/**
	 * Signs up the users of the run and creates its rooms.
	 */
	protected abstract List<Account> signUp(String run);

	/**
	 * Returns the time for which the tokens must be valid, without signing up. By default
	 * they are not checked.
	 */
	protected Duration length() {
		return Duration.ZERO;
	}

	/**
	 * Runs the trial and prints the results.
	 * @return the completed report
	 */
	protected abstract RunReport run(Trial trial, List<Account> accounts);

	@Override
	protected final RunReport run(Trial trial) {
		check();
		List<Account> accounts = signUp(trial.run);
		Preconditions.checkTokens(accounts, length());
		return run(trial.watch(this.target.serverPid), accounts);
	}

	protected final List<Account> signUp(String run, int rooms, int users) {
		return signUp(this.target, run, rooms, users, 0);
	}

}
