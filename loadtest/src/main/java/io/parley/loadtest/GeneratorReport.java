package io.parley.loadtest;

import org.jspecify.annotations.Nullable;

/**
 * What a generator process says about once a second, when it is ready for the steps, and
 * at the end of each.
 *
 * @param part what was measured since the last report
 * @param done null in between; of the hold what it gave
 */
record GeneratorReport(MeasuresPart part, Generator.Heap heap, IdleLoad.@Nullable Hold done) {

}
