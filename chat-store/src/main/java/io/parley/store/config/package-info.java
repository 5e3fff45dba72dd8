/** Auto-configuration of the store and of its data source. */
@NullMarked
package io.parley.store.config;

import org.jspecify.annotations.NullMarked;
