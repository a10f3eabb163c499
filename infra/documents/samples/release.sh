#!/usr/bin/env bash
# Uploads the files of a release, makes its draft or edits it, and hands it in for review.
#
#   LICENSE_SERVICE=https://… LICENSE_TOKEN=lst_… bash release.sh PRODUCT_ID VERSION NOTES.md RELEASE.json
#
# RELEASE.json holds what the release is besides its version and notes, with the path of each artifact's
# file as "file". Without a channel there it is the version's: beta for 1.3.0-beta.2, stable for 1.3.0.
# Run it again when it was cut short: files that the draft has already are not uploaded twice.
# The token needs releases:read and releases:write. Needs bash, curl, jq and sha256sum.
set -euo pipefail
shopt -s inherit_errexit 2>/dev/null || true

[[ $# -eq 4 && -n ${LICENSE_SERVICE:-} && -n ${LICENSE_TOKEN:-} ]] || { sed -n '2,4p' "$0" >&2; exit 64; }
version=$2 notes=$3 release=$4
product=${LICENSE_SERVICE%/}/v1/products/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Asks the service; what it answers is in $work/reply. The token is on no command line, which others could read.
ask() {
  local method=$1 url=$2 status
  shift 2
  status=$(curl --silent --show-error --max-time 60 --retry 4 --request "$method" --output "$work/reply" --write-out '%{http_code}' \
    --header @<(printf 'Authorization: Bearer %s' "$LICENSE_TOKEN") --header 'Content-Type: application/json' "$@" "$url") ||
    fail "No answer from $LICENSE_SERVICE"
  [[ $status == 2* ]]
}
answer() { jq --raw-output "$@" "$work/reply"; }
fail() { echo "$1" >&2; exit 1; }
refused() { fail "$1: $(answer '"\(.code): \(.message)"')"; }

hash() { sha256sum "$1" | cut -d ' ' -f 1; }
paths() { jq --raw-output '[.artifacts[]?.file] | unique[]' "$release"; }

# Uploads a file; prints its id.
upload() {
  local path=$1 declared id
  declared=$(jq --null-input --arg hash "$(hash "$path")" --argjson size "$(wc -c <"$path")" '{size_bytes: $size, sha256_hex: $hash}')
  jq --arg name "$(basename "$path")" '. + {filename: $name, content_type: "application/octet-stream", purpose: "release"}' \
    <<<"$declared" >"$work/intent"
  ask POST "$product/files/upload-intent" --data-binary "@$work/intent" || refused "$path"
  id=$(answer .product_file_id)
  answer '.required_headers | to_entries[] | "\(.key): \(.value)"' >"$work/headers"
  answer '"url = \(.upload_url | tojson)"' |
    curl --silent --show-error --fail --request PUT --header "@$work/headers" --upload-file "$path" --output /dev/null --config - ||
    fail "$path: the upload failed"
  ask POST "$product/files/$id/finalize" --data-binary "$declared" || refused "$path"
  echo "$id"
}

# What was handed in can be changed no more; it is fine if it has the same files.
compare() {
  local cursor='' given
  while ask GET "$product/releases?limit=100$cursor" || refused "$version"; do
    if [[ $(answer --arg version "$version" 'any(.items[]; .version == $version)') == true ]]; then
      given=$(while IFS= read -r path; do hash "$path"; done < <(paths) | sort -u)
      answer --arg version "$version" '.items[] | select(.version == $version) | "\(.version) is \(.status) already"'
      [[ $given == "$(answer --arg version "$version" '.items[] | select(.version == $version) | .artifacts[].sha256_hex' | sort -u)" ]] ||
        fail "It has other files: withdraw it, or choose another version."
      exit 0
    fi
    [[ $(answer '.next_cursor // empty') ]] || fail "$version: taken, but not in the list"
    cursor="&cursor=$(answer '.next_cursor | @uri')"
  done
}

while IFS= read -r path; do [[ -f $path ]] || fail "$path: no such file"; done < <(paths)

jq --arg version "$version" --rawfile notes "$notes" \
  '{channel: (if $version | test("-") then $version | capture("-(?<word>[^.]+)").word else "stable" end)} + . + {version: $version, notes: $notes} | del(.artifacts)' \
  "$release" >"$work/draft"
if ! ask POST "$product/releases" --data-binary "@$work/draft"; then
  [[ $(answer .code) == version_taken ]] || refused "$version"
  compare
fi
mv "$work/reply" "$work/known"

while IFS= read -r path; do
  id=$(jq --raw-output --arg name "$(basename "$path")" --arg hash "$(hash "$path")" \
    'first(.artifacts[] | select(.file_name == $name and .sha256_hex == $hash).file_id) // empty' "$work/known")
  if [[ -z $id ]]; then
    echo "Uploading $path"
    id=$(upload "$path")
  fi
  jq --null-input --arg file "$path" --arg id "$id" '{($file): $id}' >>"$work/ids"
done < <(paths)
touch "$work/ids"

jq --arg version "$version" --slurpfile ids "$work/ids" \
  '($ids | add // {}) as $ids | {version: $version, artifacts: [.artifacts[]? | .file_id = $ids[.file] | del(.file)]}' "$release" >"$work/draft"
ask POST "$product/releases" --data-binary "@$work/draft" || refused "$version"
ask POST "$product/releases/$(answer .id)/submit" --data '{}' || refused "$version"
answer '"\(.version) is handed in (\(.id)): \(.status)"'
