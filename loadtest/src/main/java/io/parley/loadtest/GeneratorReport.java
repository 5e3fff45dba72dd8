package io.parley.loadtest;

import org.jspecify.annotations.Nullable;

/**
 * What a generator process says about once a second, and at the end of each step.
 *
 * @param part what was measured since the last report
 * @param done at the end of a step only; of the hold what it gave
 */
record GeneratorReport(MeasuresPart part, Generator.Heap heap, IdleLoad.@Nullable Hold done) {

}
