/**
 * Reports of runs, for people (HTML) and for programs (JSON).
 */
@NullMarked
package io.parley.loadtest.report;

import org.jspecify.annotations.NullMarked;
