/** Who fans out, side by side. */
@NullMarked
package io.parley.loadtest.study.modes;

import org.jspecify.annotations.NullMarked;
