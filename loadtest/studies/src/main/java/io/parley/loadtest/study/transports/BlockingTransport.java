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
 * A transport whose connections block while they are opened, several at a time.
 */
record BlockingTransport(String name, Opening opening) implements Transport {

	private static final int AT_ONCE = 16;

	private static final long STEP_MILLIS = 200;

	@FunctionalInterface
	interface Opening {

		Link open(RoundClient client) throws Exception;

	}

	@Override
	public List<Link> connect(List<RoundClient> clients) throws Exception {
		List<Link> links = new ArrayList<>();
		try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
			List<Future<Link>> pending = new ArrayList<>();
			for (RoundClient client : clients) {
				Callable<Link> open = () -> this.opening.open(client);
				pending.add(executor.submit(open));
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
					link.leave();
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
