/**
 * Maximum message rates, with an account of each message.
 */
@NullMarked
package io.parley.loadtest.study.pipeline;

import org.jspecify.annotations.NullMarked;
