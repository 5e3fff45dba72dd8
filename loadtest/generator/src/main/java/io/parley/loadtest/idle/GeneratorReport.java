package io.parley.loadtest.idle;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.MeasuresPart;
import org.jspecify.annotations.Nullable;

/**
 * A report that a generator process sends about once a second, when it is ready for the
 * steps, and at the end of each step.
 *
 * @param part the measurements since the last report
 * @param done the result of a step that has ended; null in all other reports
 */
record GeneratorReport(MeasuresPart part, Generator.Heap heap, IdleLoad.@Nullable Hold done) {

}
