package io.parley.store;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** The smallest application with a store. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class StoreApplication {

}
