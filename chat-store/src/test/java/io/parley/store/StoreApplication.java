package io.parley.store;

import io.parley.log.config.RoomLogAutoConfiguration;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** A minimal application with the store. */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = RoomLogAutoConfiguration.class)
public class StoreApplication {

}
