package io.parley.server.room;

import java.security.Principal;
import java.util.List;
import java.util.regex.Pattern;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.Block;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Blocks, unblocks and lists users: {@code /api/blocks}. */
@RestController
@RequestMapping("/api/blocks")
class BlockController {

	private static final Pattern USERNAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

	private final BlockService blocks;

	private final RateLimits rates;

	BlockController(BlockService blocks, RateLimits rates) {
		this.blocks = blocks;
		this.rates = rates;
	}

	@GetMapping
	List<Block> mine(Principal user) {
		return this.blocks.of(user.getName());
	}

	@PutMapping("/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void block(@PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		this.blocks.block(user.getName(), valid(username));
	}

	@DeleteMapping("/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void unblock(@PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		this.blocks.unblock(user.getName(), valid(username));
	}

	private static String valid(String username) {
		if (!USERNAME.matcher(username).matches()) {
			throw ErrorCode.BAD_REQUEST.because("The path must end with a user name.");
		}
		return username;
	}

}
