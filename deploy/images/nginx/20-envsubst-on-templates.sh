#!/bin/sh
# As in the official image: renders templates with the existing environment variables only, so that nginx keeps its own $names.
set -e
templates=${NGINX_ENVSUBST_TEMPLATE_DIR:-/etc/nginx/templates}
output=${NGINX_ENVSUBST_OUTPUT_DIR:-/etc/nginx/conf.d}
names=$(env | sed -n "s/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p" | grep -E "${NGINX_ENVSUBST_FILTER:-.}" | sed 's/.*/${&}/' | tr '\n' ' ')
find "$templates" -follow -type f -name '*.template' | while read -r template; do
  target=$output/${template#"$templates"/}
  mkdir -p "$(dirname "$target")"
  envsubst "$names" <"$template" >"${target%.template}"
done
