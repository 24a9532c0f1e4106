#!/bin/sh
# Runs a command with the settings that stand in files: a secret named database_url becomes SPINA_DATABASE_URL.
set -eu

for name in database_url owner_database_url redis_url master_key; do
    file="${SECRETS_FOLDER:-/run/secrets}/$name"
    if [ -f "$file" ]; then
        export "SPINA_$(echo "$name" | tr '[:lower:]' '[:upper:]')=$(cat "$file")"
    fi
done

exec "$@"
