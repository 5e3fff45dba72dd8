package io.parley.loadtest.measure;

import io.parley.loadtest.report.Jcmd;
import io.parley.loadtest.report.ProcessStat;

/**
 * Reads the memory of a JVM on this machine in KB, from {@code /proc} and by
 * {@code jcmd}.
 */
public final class ServerProbe {

	private static final long KB = 1024;

	private final long pid;

	private final Jcmd jcmd;

	/**
	 * Creates a probe for the process with this id.
	 */
	public ServerProbe(long pid) {
		this.pid = pid;
		this.jcmd = new Jcmd(pid);
	}

	/**
	 * Returns the resident memory in KB; 0 when the system does not report it.
	 */
	public long residentKb() {
		ProcessStat process = ProcessStat.read(this.pid);
		return (process != null) ? process.residentBytes() / KB : 0;
	}

	/**
	 * Triggers a full collection and returns the live heap after it in KB.
	 */
	public long liveHeapKb() {
		this.jcmd.collect();
		return this.jcmd.usedHeap() / KB;
	}

	/**
	 * Returns the maximum heap size in KB.
	 */
	public long maxHeapKb() {
		return this.jcmd.maxHeap() / KB;
	}

}
