package io.parley.server.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import io.parley.log.RoomLog;

import org.springframework.beans.factory.config.BeanPostProcessor;

/** Wraps the room log of a server so that appends fail as the test requests. */
public final class FaultyLog implements BeanPostProcessor {

	private static final Runnable NOTHING = () -> {
	};

	private volatile Fault fault = Fault.NONE;

	/** The content of a record whose append the fault affects. */
	private volatile String content = "";

	private volatile CompletableFuture<Void> answered = new CompletableFuture<>();

	private final AtomicReference<Runnable> beforeAppend = new AtomicReference<>(NOTHING);

	public enum Fault {

		NONE,

		/** Writes nothing and refuses the append. */
		REFUSES,

		/** Writes the record and reports an unknown outcome. */
		WRITES_AND_DOES_NOT_KNOW,

		/** Writes nothing and reports an unknown outcome. */
		LOSES_AND_DOES_NOT_KNOW,

		/** Does not answer until {@link FaultyLog#answer}, and appends then. */
		HANGS,

		/** Throws an unexpected exception. */
		THROWS,

		/** Reports an end offset lower than what its readers have read. */
		IS_BEHIND

	}

	public void set(Fault fault) {
		set(fault, "");
	}

	/** Affects only the appends of records that contain this ASCII text. */
	public void set(Fault fault, String content) {
		this.content = content;
		this.fault = fault;
	}

	/** Appends what hangs. */
	public void answer() {
		CompletableFuture<Void> hanging = this.answered;
		this.answered = new CompletableFuture<>();
		hanging.complete(null);
	}

	/** Runs an action once, before the next append. */
	public void beforeNextAppend(Runnable action) {
		this.beforeAppend.set(action);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (!(bean instanceof RoomLog log)) {
			return bean;
		}
		return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { RoomLog.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "append" -> append(log, method, arguments);
					case "endOffset" -> end((Long) call(log, method, arguments));
					default -> call(log, method, arguments);
				});
	}

	private long end(long known) {
		return (this.fault == Fault.IS_BEHIND) ? Math.max(0, known - 3) : known;
	}

	private Object append(RoomLog log, Method method, Object[] arguments) throws Throwable {
		this.beforeAppend.getAndSet(NOTHING).run();
		return switch (affects((byte[]) arguments[1]) ? this.fault : Fault.NONE) {
			case NONE, IS_BEHIND -> call(log, method, arguments);
			case REFUSES -> CompletableFuture.failedFuture(new AppendRefusedException("A test refuses"));
			case WRITES_AND_DOES_NOT_KNOW -> ((CompletableFuture<?>) call(log, method, arguments))
				.thenCompose((offset) -> CompletableFuture.failedFuture(unknown()));
			case LOSES_AND_DOES_NOT_KNOW -> CompletableFuture.failedFuture(unknown());
			case HANGS -> this.answered.thenCompose((none) -> {
				try {
					return (CompletableFuture<?>) append(log, method, arguments);
				}
				catch (Throwable ex) {
					return CompletableFuture.failedFuture(ex);
				}
			});
			case THROWS -> throw new IllegalStateException("A test throws");
		};
	}

	private boolean affects(byte[] record) {
		return new String(record, StandardCharsets.ISO_8859_1).contains(this.content);
	}

	private static AppendUnknownException unknown() {
		return new AppendUnknownException("A test does not know", null);
	}

	private static Object call(RoomLog log, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(log, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
