package io.parley.loadtest.faults;

import java.util.Random;

/**
 * Values from {@code least} to {@code most}, both included.
 */
record Range(long least, long most) {

	long pick(Random random) {
		return (this.least == this.most) ? this.least : random.nextLong(this.least, this.most + 1);
	}

}
