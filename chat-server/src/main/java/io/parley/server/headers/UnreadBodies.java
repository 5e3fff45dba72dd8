package io.parley.server.headers;

import java.nio.ByteBuffer;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Announces the end of the connection in an answer that is sent before the body of the
 * request has arrived. Jetty closes such a connection but does not always say so: a
 * client would send its next request on that connection and get no answer.
 */
@Component
class UnreadBodies implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

	@Override
	public void customize(JettyServletWebServerFactory factory) {
		factory.addServerCustomizers((server) -> server.setHandler(new AnswerHandler(server.getHandler())));
	}

	private static final class AnswerHandler extends Handler.Wrapper {

		AnswerHandler(Handler handler) {
			super(handler);
		}

		@Override
		public boolean handle(Request request, Response response, Callback callback) throws Exception {
			// A WebSocket upgrade is a GET.
			boolean hasBody = !HttpMethod.GET.is(request.getMethod());
			return super.handle(request, hasBody ? new Answer(request, response) : response, callback);
		}

	}

	private static final class Answer extends Response.Wrapper {

		Answer(Request request, Response response) {
			super(request, response);
		}

		@Override
		public void write(boolean last, ByteBuffer content, Callback callback) {
			// A response that announces the end itself may read the rest of the body
			// later. An attempt to consume it would prevent that.
			if (!isCommitted() && !getHeaders().contains(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString())
					&& !getRequest().consumeAvailable()) {
				getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
			}
			super.write(last, content, callback);
		}

	}

}
