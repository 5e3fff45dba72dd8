package io.parley.loadtest.study.transports;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.parley.loadtest.cli.Interrupt;

/**
 * Opens connections concurrently that block during the connect.
 */
final class Together {

	private static final int AT_ONCE = 16;

	private static final long STEP_MILLIS = 200;

	private Together() {
	}

	/**
	 * Opens a link.
	 */
	@FunctionalInterface
	interface Opening {

		Link open(int client) throws Exception;

	}

	/**
	 * Opens links for all clients and returns them in order.
	 * @throws Exception the first failure; links that are already open are then closed
	 */
	static List<Link> open(int clients, Opening opening) throws Exception {
		List<Link> links = new ArrayList<>(clients);
		try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
			List<Future<Link>> pending = new ArrayList<>(clients);
			for (int n = 0; n < clients; n++) {
				int client = n;
				Callable<Link> task = () -> opening.open(client);
				pending.add(executor.submit(task));
			}
			ExecutionException failure = null;
			for (Future<Link> link : pending) {
				try {
					links.add(await(link, executor));
				}
				catch (ExecutionException ex) {
					failure = (failure != null) ? failure : ex;
				}
			}
			if (failure != null) {
				for (Link link : links) {
					link.close();
				}
				throw (failure.getCause() instanceof Exception cause) ? cause : failure;
			}
		}
		return links;
	}

	/**
	 * Waits for a link, but not for a server that Ctrl-C has ended.
	 */
	private static Link await(Future<Link> link, ExecutorService executor)
			throws InterruptedException, ExecutionException {
		while (true) {
			try {
				return link.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				if (Interrupt.requested()) {
					executor.shutdownNow();
					Interrupt.check();
				}
			}
		}
	}

}
