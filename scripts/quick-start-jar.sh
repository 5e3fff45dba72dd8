#!/usr/bin/env bash
# Compiles QuickStart.java into chat-server/target/quick-start.jar, for Java runtimes without a compiler, such as those of images.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jdk=${JAVA_HOME:+$JAVA_HOME/bin/} classes=chat-server/target/quick-start-classes
"${jdk}javac" -d "$classes" scripts/QuickStart.java
"${jdk}jar" --create --file chat-server/target/quick-start.jar -C "$classes" .
