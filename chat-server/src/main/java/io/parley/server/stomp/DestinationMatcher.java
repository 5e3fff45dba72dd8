package io.parley.server.stomp;

import org.springframework.util.AntPathMatcher;

/**
 * Matches destinations, whose parts are separated by dots. Spring compares each SEND with
 * the pattern of every handler method. This matcher remembers the parts of the last
 * destination, so that it is not split again for each pattern. Safe for use by many
 * threads.
 */
final class DestinationMatcher extends AntPathMatcher {

	private volatile Split last = new Split("", new String[0]);

	DestinationMatcher() {
		super(".");
	}

	private record Split(String path, String[] parts) {
	}

	@Override
	protected String[] tokenizePath(String path) {
		Split split = this.last;
		if (!split.path().equals(path)) {
			split = new Split(path, super.tokenizePath(path));
			this.last = split;
		}
		return split.parts();
	}

}
