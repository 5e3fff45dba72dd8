/** Providers that deliver notifications to devices. */
@NullMarked
package io.parley.notification.provider;

import org.jspecify.annotations.NullMarked;
