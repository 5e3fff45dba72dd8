/** Tests of the page in a real browser. */
@NullMarked
package io.parley.system.browser;

import org.jspecify.annotations.NullMarked;
