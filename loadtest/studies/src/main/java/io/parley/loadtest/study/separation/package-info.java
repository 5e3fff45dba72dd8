/**
 * The cost of storing and pushing on the path of a message.
 */
@NullMarked
package io.parley.loadtest.study.separation;

import org.jspecify.annotations.NullMarked;
