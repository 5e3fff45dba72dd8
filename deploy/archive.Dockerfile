# All of Parley in one image, made of the release archive. In the directory of the unpacked archive:
#   docker build -t parley .
#   docker run -p 127.0.0.1:8080:8080 -e CHAT_DEMO_PUBLISHEDADDRESS=127.0.0.1 -v parley:/parley/data parley
# The environment variable says that only this machine reaches the port; without it the demo users are refused.
ARG BASE_IMAGE=debian:13-slim
FROM ${BASE_IMAGE}
COPY . /parley
RUN mkdir /parley/data && chown 10001:10001 /parley/data
WORKDIR /parley
USER 10001:10001
EXPOSE 8080 9090
# The ports that the host publishes determine access.
ENV SERVER_ADDRESS=0.0.0.0 MANAGEMENT_SERVER_ADDRESS=0.0.0.0
HEALTHCHECK --interval=5s --timeout=4s --start-period=300s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200'"]
ENTRYPOINT ["bin/chat"]
CMD ["run"]
