# Sourced by ./chat: the release archive, which needs neither a JDK nor Maven.

# All that programs on a JVM may use, without the tools.
RUNTIME_MODULES=java.se,jdk.charsets,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.localedata,jdk.management
RUNTIME_MODULES+=,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.nio.mapmode,jdk.security.auth,jdk.unsupported,jdk.zipfs

# archive: packs a Java runtime, the server with its cache for quick starts, and the commands into target/parley-….tar.gz.
archive() {
  local version name folder runtime quick_start
  (($# == 0)) || die "unknown option \"$1\": \"./chat archive\" has none."
  need_jdk
  build "$SERVER_JAR" "${SERVER_MODULES[@]}"
  build "$ADMIN_JAR" admin
  build "$GENERATOR_JAR" loadtest/fake-fcm loadtest/generator
  version=$(scripts/release-notes.sh --version)
  name=parley-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
  folder=target/archive/$name runtime=$folder/runtime quick_start=$folder/$QUICK_START
  rm -rf target/archive
  mkdir -p "$folder/bin" "$folder/scripts" "$quick_start" "$folder/${ADMIN_JAR%/*}" "$folder/${GENERATOR_JAR%/*}"
  say "making the Java runtime"
  "$JAVA_HOME/bin/jlink" --add-modules "$RUNTIME_MODULES" --no-header-files --no-man-pages --output "$runtime" ||
    die "the Java runtime was not made, see above: use a complete JDK 25."
  say "training the server for quick starts"
  "$JAVA_HOME/bin/javac" -d target/archive/classes scripts/QuickStart.java
  JAVA_OPTS= server_options
  "$PWD/$runtime/bin/java" -cp target/archive/classes QuickStart "$SERVER_JAR" "$quick_start" 20 "${JVM_FLAGS[@]}" "${OPTIONS[@]}" ||
    die "the cache for quick starts was not made; see $quick_start/training.log."
  rm -f "$quick_start"/*.log "$quick_start/lock"
  cp "$runtime/release" "$quick_start/release"
  cp "$ADMIN_JAR" "$folder/$ADMIN_JAR"
  cp "$GENERATOR_JAR" "$folder/$GENERATOR_JAR"
  cp deploy/archive.Dockerfile "$folder/Dockerfile"
  # The keys and messages of a server that was started in the directory do not get into the image.
  echo data >"$folder/.dockerignore"
  cp -rL chat README.md CHANGELOG.md LICENSE SECURITY.md docs "$folder/"
  cp scripts/{archive,backup,compose,database,docker-engine,test-servers,tests}.sh "$folder/scripts/"
  printf '%s\n' '#!/bin/sh' 'exec "$(dirname "$(readlink -f "$0")")/../chat" "$@"' >"$folder/bin/chat"
  chmod +x "$folder/bin/chat"
  tar -C target/archive -czf "target/$name.tar.gz" "$name"
  (cd target && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
  rm -rf target/archive
  say "target/$name.tar.gz: unpack it anywhere, and start bin/chat run"
}

# not_in_archive <command>
not_in_archive() {
  ! in_archive || die "\"$1\" needs the sources: use it in a clone of the repository."
}
