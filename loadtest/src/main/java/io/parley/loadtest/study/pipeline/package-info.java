/** As many messages as go through, and what became of each. */
@NullMarked
package io.parley.loadtest.study.pipeline;

import org.jspecify.annotations.NullMarked;
