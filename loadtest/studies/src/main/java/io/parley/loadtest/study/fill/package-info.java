/**
 * The command {@code fill}: many messages in the database of a stopped server.
 */
@NullMarked
package io.parley.loadtest.study.fill;

import org.jspecify.annotations.NullMarked;
