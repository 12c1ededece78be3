#!/usr/bin/env bash
# Installs what the tests in the real editor need into the folder FOLDER: code-server (Visual Studio Code in a browser) and
# playwright-core. Debian or Ubuntu, Node.js 20, about two minutes; packages of the system are installed only as root.
#
#   bash scripts/editor-tools.sh FOLDER && PYMETA_EDITOR_TOOLS=FOLDER npm run e2e
set -euo pipefail
folder=${1:?say where: bash scripts/editor-tools.sh FOLDER}
mkdir -p "$folder"; cd "$folder"
if [ -f node_modules/code-server/out/node/entry.js ] && [ -d node_modules/code-server/lib/vscode/node_modules ] && [ -d node_modules/playwright-core ]; then
  exit 0
fi

packages="chromium fonts-dejavu-core fonts-noto-cjk libkrb5-dev libsecret-1-dev libx11-dev libxkbfile-dev pkg-config ripgrep g++ make python3 procps"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $packages >/dev/null
else
  echo "taking for granted that these are installed: $packages" >&2
fi

# Its ripgrep is downloaded from outside the registry; the system's own serves as well, from the cache it looks in first.
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
if command -v rg >/dev/null; then
  mkdir "$cache/vscode-ripgrep-cache-1.15.11"
  case $(uname -m) in aarch64 | arm64) target=aarch64-unknown-linux-musl ;; *) target=x86_64-unknown-linux-musl ;; esac
  for version in v13.0.0-10 v13.0.0-13; do
    tar -czf "$cache/vscode-ripgrep-cache-1.15.11/ripgrep-$version-$target.tar.gz" -C "$(dirname "$(command -v rg)")" rg
  done
fi

# npm 11 runs the packages' own set-up only where it is allowed; older ones do not know the key.
echo '{"private": true, "allowScripts": {"code-server": true, "argon2": true}}' >package.json
TMPDIR=$cache npm_config_yes=true npm_config_unsafe_perm=true \
  npm install --no-audit --no-fund --loglevel=error code-server@4.100.3 playwright-core@1.65.1
