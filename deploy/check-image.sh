#!/usr/bin/env bash
# Builds deploy/Dockerfile with buildah, and tests the image. It is not part of `npm test`, because it takes about ten minutes.
# It needs root, buildah and mmdebstrap (Debian: apt-get install buildah mmdebstrap), but no Docker. mmdebstrap makes the base
# image from the Debian archive of this machine.
#
#   bash deploy/check-image.sh [FOLDER]     # FOLDER keeps the base image between runs; by default the folder is temporary
#
# The last line of the output is: N passed, N failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Largest size of the product's folder in the image, in MB, including models and database.
size_limit=400

for program in buildah mmdebstrap; do
  command -v "$program" >/dev/null || { echo "$program is missing (Debian: apt-get install $program)."; exit 1; }
done
[[ $EUID -eq 0 ]] || { echo 'Only root can build the image here.'; exit 1; }

work=${1:-$(mktemp -d /var/tmp/cochlea-image-XXXXXX)}
mkdir -p "$work"
work=$(cd "$work" && pwd)
storage=(--storage-driver overlay --root "$work/storage" --runroot "$work/run")
buildah() { command buildah "${storage[@]}" "$@"; }
containers=()
clean() {
  for container in "${containers[@]}"; do buildah rm "$container" >/dev/null || true; done
  if [[ -z ${kept:-} ]]; then buildah rmi --all --force >/dev/null 2>&1 || true; rm -rf "$work"; fi
}
kept=${1:-}
trap clean EXIT

passed=0
failed=0
# check NAME COMMAND...: counts a successful command as passed, any other as failed. Shows the output of a failed command.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
    printf 'ok %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'NOT OK %s\n%s\n' "$name" "$output"
  fi
}

# If this machine uses a private certificate authority, the image needs the authority, too.
base=docker.io/library/debian:trixie-slim
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  mmdebstrap --quiet --variant=minbase trixie "$work/base.tar" "$archive"
  from=$(buildah from scratch)
  buildah add --quiet "$from" "$work/base.tar" / >/dev/null
  if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
    buildah copy --quiet "$from" "$NODE_EXTRA_CA_CERTS" /etc/authorities.pem >/dev/null
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/authorities.pem --env PIP_CERT=/etc/authorities.pem "$from"
  fi
  buildah commit --quiet --format docker "$from" "$base" >/dev/null
  buildah rm "$from" >/dev/null
  rm "$work/base.tar"
fi

build() {
  buildah bud --layers --isolation chroot --format docker --pull-never -f deploy/Dockerfile "$@" . 2>&1
}
printf '== stage with sources and tools\n'
build --target build -t cochlea-build
printf '== image\n'
build -t cochlea

# start IMAGE: sets `container` to a new container of it.
start() {
  container=$(buildah from --pull-never "localhost/$1")
  containers+=("$container")
}
inside() { buildah run --isolation chroot "$container" -- "$@"; }

printf '== quick suite, with the native core and the newer uWebSockets.js\n'
start cochlea-build
inside env COCHLEA_LISTENER=uws node dist/test/run.js --quick 2>&1 | tee "$work/suite.log" || true
if [[ $(grep -E '^[0-9]+ passed' "$work/suite.log" | tail -n 1) =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
  passed=$((passed + BASH_REMATCH[1]))
  failed=$((failed + BASH_REMATCH[2]))
else
  failed=$((failed + 1))
fi

printf '== product\n'
start cochlea
size=$(inside du -sm /opt/cochlea | cut -f1)
packages=$(inside du -sm /opt/cochlea/node_modules | cut -f1)
printf 'size of /opt/cochlea: %s MB, of which npm packages %s MB\n' "$size" "$packages"
check "at most $size_limit MB" test "$size" -le "$size_limit"
check 'an unprivileged user' test "$(inside id -u)" -ne 0
for tool in c++ cc make cmake npm python3 git; do
  check "no $tool in it" inside sh -c "! command -v $tool"
done
check 'cochlea doctor' inside env COCHLEA_CORE=native sh -c 'cochlea models pull && cochlea doctor'
# codecs: prints the codecs that the core in the container decodes. Only AAC needs a library that the image leaves out.
codecs() { inside env COCHLEA_CORE=native cochlea doctor | grep -E '(pcm16|opus).*lc3'; }
without_aac() { local line; line=$(codecs) && [[ $line != *aac* ]]; }
check 'Opus and LC3 are decoded, AAC is not' without_aac
with_aac() {
  local line
  buildah run --isolation chroot --user root "$container" -- sh -c \
    'apt-get update -q && apt-get install -q -y --no-install-recommends libavcodec61' || return 1
  line=$(codecs) && [[ $line == *aac* ]]
}
demo() {
  local result
  result=$(inside env COCHLEA_CORE=native COCHLEA_LISTENER=uws cochlea demo --once --json) || return 1
  printf '%s\n' "$result"
  inside node -e 'const r = JSON.parse(process.argv[1]); if (!r.conversation_id) process.exit(1);' "$result"
}
check 'demo --once --json, with the native core and the newer uWebSockets.js' demo

# Runs the container's own command until its health check passes. Then sends the signal that stops a container.
check 'cochlea up answers the health check, and ends on SIGTERM' inside \
  env PORT=28787 SIDECAR_PORT=28788 METRICS_PORT=28789 sh -c '
    cochlea up &
    healthy=no
    for second in $(seq 90); do
      if node deploy/health.mjs; then healthy=yes; break; fi
      sleep 1
    done
    kill -TERM $!
    wait $!
    echo "healthy: $healthy, ended with $?"
    [ $healthy = yes ]'

# Last, because it changes the container.
check 'AAC is decoded when libavcodec61 is added' with_aac

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
