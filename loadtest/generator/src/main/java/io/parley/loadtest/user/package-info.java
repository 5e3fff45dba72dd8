/**
 * Users and rooms of a run, created over the REST API.
 */
@NullMarked
package io.parley.loadtest.user;

import org.jspecify.annotations.NullMarked;
