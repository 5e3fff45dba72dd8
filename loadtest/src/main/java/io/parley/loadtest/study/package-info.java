/** What all studies share. */
@NullMarked
package io.parley.loadtest.study;

import org.jspecify.annotations.NullMarked;
