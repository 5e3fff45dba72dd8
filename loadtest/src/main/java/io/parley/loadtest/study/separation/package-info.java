/** What it costs to store and to push on the path of a message. */
@NullMarked
package io.parley.loadtest.study.separation;

import org.jspecify.annotations.NullMarked;
