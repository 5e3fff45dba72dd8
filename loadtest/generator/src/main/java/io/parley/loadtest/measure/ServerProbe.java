package io.parley.loadtest.measure;

import io.parley.loadtest.report.Jcmd;
import io.parley.loadtest.report.ProcessStat;

/**
 * Reads the memory of a JVM on this machine in KB, from {@code /proc} and by
 * {@code jcmd}.
 */
public record ServerProbe(long pid) {

	private static final long KB = 1024;

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
		Jcmd jcmd = new Jcmd(this.pid);
		jcmd.collect();
		return jcmd.usedHeap() / KB;
	}

	/**
	 * Returns the maximum heap size in KB.
	 */
	public long maxHeapKb() {
		return new Jcmd(this.pid).maxHeap() / KB;
	}

}
