/**
 * The contract between the deployables: the events of rooms, their encoding in the log
 * and for clients, and the naming of rooms, partitions and destinations.
 */
@NullMarked
package io.parley.events;

import org.jspecify.annotations.NullMarked;
