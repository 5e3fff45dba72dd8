/**
 * Clients of a Parley server that a study controls itself.
 */
@NullMarked
package io.parley.loadtest.study.client;

import org.jspecify.annotations.NullMarked;
