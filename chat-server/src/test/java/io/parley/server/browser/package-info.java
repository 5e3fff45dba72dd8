/** Tests of the page in a real browser. */
@NullMarked
package io.parley.server.browser;

import org.jspecify.annotations.NullMarked;
