package io.parley.loadtest;

import io.parley.loadtest.report.Jcmd;
import io.parley.loadtest.report.ProcessStat;

/** The memory of a JVM on this machine in KB, by {@code /proc} and {@code jcmd}. */
public final class ServerProbe {

	private static final long KB = 1024;

	private final long pid;

	private final Jcmd jcmd;

	/** Of the process with this id. */
	public ServerProbe(long pid) {
		this.pid = pid;
		this.jcmd = new Jcmd(pid);
	}

	/** Resident memory; 0 when the system does not tell. */
	long residentKb() {
		ProcessStat process = ProcessStat.read(this.pid);
		return (process != null) ? process.residentBytes() / KB : 0;
	}

	/** Live heap: what is left after a full collection, which this triggers. */
	public long liveHeapKb() {
		this.jcmd.collect();
		return this.jcmd.usedHeap() / KB;
	}

	/** How large its heap may become. */
	long mostHeapKb() {
		return this.jcmd.mostHeap() / KB;
	}

}
