/** What a run found, to be read by people (HTML) and by programs (JSON). */
@NullMarked
package io.parley.loadtest.report;

import org.jspecify.annotations.NullMarked;
