package io.parley.server.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;

import io.parley.server.error.ErrorCode;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Checks each HTTP body with {@link StrictJson} before Spring binds it to a parameter. A
 * controller with a {@code byte[]} parameter checks the body itself.
 */
@ControllerAdvice
class StrictBodies extends RequestBodyAdviceAdapter {

	private final StrictJson json;

	StrictBodies(StrictJson json) {
		this.json = json;
	}

	@Override
	public boolean supports(MethodParameter parameter, Type target,
			Class<? extends HttpMessageConverter<?>> converter) {
		return parameter.getParameterType() != byte[].class;
	}

	@Override
	public HttpInputMessage beforeBodyRead(HttpInputMessage message, MethodParameter parameter, Type target,
			Class<? extends HttpMessageConverter<?>> converter) throws IOException {
		byte[] body = message.getBody().readAllBytes();
		this.json.read(body, ErrorCode.BAD_REQUEST);
		HttpHeaders headers = new HttpHeaders(message.getHeaders());
		// With another charset in the header, Spring would decode other characters than
		// were checked.
		headers.setContentType(MediaType.APPLICATION_JSON);
		return new Checked(body, headers);
	}

	private record Checked(byte[] body, HttpHeaders headers) implements HttpInputMessage {

		@Override
		public InputStream getBody() {
			return new ByteArrayInputStream(this.body);
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

	}

}
