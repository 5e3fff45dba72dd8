/** What several studies need. */
@NullMarked
package io.parley.loadtest.study;

import org.jspecify.annotations.NullMarked;
