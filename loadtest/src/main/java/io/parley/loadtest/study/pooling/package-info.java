/** The history with pooled connections to the database and without. */
@NullMarked
package io.parley.loadtest.study.pooling;

import org.jspecify.annotations.NullMarked;
