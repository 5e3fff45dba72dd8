package io.parley.fakefcm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which request gets what; may be changed at any time. */
final class Behaviours {

	private final Map<String, Behaviour> byTarget = new ConcurrentHashMap<>();

	private volatile Behaviour general = Behaviour.of(Behaviour.Kind.OK);

	private volatile Script script = new Script(0, this.general);

	/**
	 * The most particular one wins: of the target, of its first requests, of all.
	 * @param attempt 1 for the first request of this target
	 */
	Behaviour of(String target, int attempt) {
		Behaviour own = this.byTarget.get(target);
		if (own != null) {
			return own;
		}
		Script first = this.script;
		return (attempt <= first.requests()) ? first.behaviour() : this.general;
	}

	void all(Behaviour behaviour) {
		this.general = behaviour;
	}

	void target(String target, Behaviour behaviour) {
		this.byTarget.put(target, behaviour);
	}

	void first(int requests, Behaviour behaviour) {
		this.script = new Script(requests, behaviour);
	}

	private record Script(int requests, Behaviour behaviour) {
	}

}
