package io.parley.server.device;

import java.security.Principal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.parley.server.account.AccountStateCache;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.DisabledOwnerException;
import jakarta.validation.Valid;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Registers, lists and removes the user's devices: {@code /api/devices}. Never returns a
 * token.
 */
@RestController
@RequestMapping("/api/devices")
class DeviceController {

	private final DeviceRepository devices;

	private final RateLimits rates;

	DeviceController(DeviceRepository devices, RateLimits rates) {
		this.devices = devices;
		this.rates = rates;
	}

	@PostMapping
	ResponseEntity<DeviceView> register(@Valid @RequestBody NewDevice device, Principal user) {
		this.rates.takeSignal(user.getName());
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		Device.Kind kind = device.kindOrToken();
		Device.Platform platform = device.knownPlatform();
		boolean fresh;
		try {
			fresh = this.devices.register(user.getName(), kind, device.token(), platform, device.replaces(), now);
		}
		catch (DisabledOwnerException ex) {
			// Since this request was let in.
			throw AccountStateCache.disabled();
		}
		return ResponseEntity.status(fresh ? HttpStatus.CREATED : HttpStatus.OK)
			.body(new DeviceView(Device.id(kind, device.token()), DeviceView.wireName(platform),
					DeviceView.wireName(kind), now));
	}

	@GetMapping
	List<DeviceView> mine(Principal user) {
		return this.devices.of(user.getName()).stream().map(DeviceView::of).toList();
	}

	@DeleteMapping("/{token}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void forget(@PathVariable String token, Principal user) {
		this.rates.takeSignal(user.getName());
		if (!this.devices.remove(user.getName(), token)) {
			throw ErrorCode.NOT_FOUND.because("You have no device with that token.");
		}
	}

}
