package io.parley.fakefcm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Selects the behaviour for each request. Safe for use by many threads.
 */
final class BehaviourSelector {

	private final Map<String, Behaviour> byTarget = new ConcurrentHashMap<>();

	private volatile Behaviour general = Behaviour.of(Behaviour.Kind.OK);

	private volatile Script script = new Script(0, this.general);

	/**
	 * Returns the most specific behaviour: of the target, then of its first requests,
	 * then of all requests.
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
