/**
 * Common parts of all studies.
 */
@NullMarked
package io.parley.loadtest.study;

import org.jspecify.annotations.NullMarked;
