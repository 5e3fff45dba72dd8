/**
 * Sessions of users who follow a room and send to it.
 */
@NullMarked
package io.parley.loadtest.session;

import org.jspecify.annotations.NullMarked;
