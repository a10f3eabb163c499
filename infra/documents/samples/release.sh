#!/usr/bin/env bash
# Uploads the files of a release, adds them to its draft, and hands it in for review.
#
#   LICENSE_SERVICE=https://… LICENSE_TOKEN=lst_… bash release.sh PRODUCT_ID VERSION NOTES.md RELEASE.json
#
# Where several jobs build one version, each adds its own files, and a last step hands in all of them:
#
#   bash release.sh --add PRODUCT_ID VERSION NOTES.md RELEASE.json
#   bash release.sh --submit PRODUCT_ID VERSION
#
# RELEASE.json holds what the release is besides its version and notes, with the path of each artifact's
# file as "file". Without a channel there it is the version's: beta for 1.3.0-beta.2, stable for 1.3.0.
# What electron-builder, vpk, tauri build or generate_appcast wrote beside a file need not stand there.
# Run it again when it was cut short: files that the draft has already are not uploaded twice.
# The token needs releases:read and releases:write. Needs bash, curl, jq and sha256sum or shasum.
set -euo pipefail
shopt -s inherit_errexit 2>/dev/null || true

only=''
[[ ${1:-} != --add && ${1:-} != --submit ]] || { only=${1#--}; shift; }
[[ $# -eq $([[ $only == submit ]] && echo 2 || echo 4) && -n ${LICENSE_SERVICE:-} && -n ${LICENSE_TOKEN:-} ]] ||
  { sed -n '2,9p' "$0" >&2; exit 64; }
version=$2 notes=${3:-} release=${4:-}
product=${LICENSE_SERVICE%/}/v1/products/$1
work=$(mktemp -d)
# Programs of Windows know no /tmp.
work=$(cygpath --mixed "$work" 2>/dev/null || echo "$work")
trap 'rm -rf "$work"' EXIT

# Asks the service; what it answers is in $work/reply. The token is on no command line, which others could read.
ask() {
  local method=$1 url=$2 status
  shift 2
  status=$(printf 'Authorization: Bearer %s\n' "$LICENSE_TOKEN" |
    curl --silent --show-error --max-time 60 --retry 4 --request "$method" --output "$work/reply" --write-out '%{http_code}' \
      --header @- --header 'Content-Type: application/json' "$@" "$url") ||
    fail "No answer from $LICENSE_SERVICE"
  # Not by --exit-status, which jq 1.6 ignores where there is no input.
  [[ $(answer 'objects | "reply"' 2>/dev/null) == reply ]] || fail "No answer from $LICENSE_SERVICE: HTTP $status"
  [[ $status == 2* ]]
}
# On Windows jq ends its lines with a carriage return.
words() { jq --raw-output "$@" | tr -d '\r'; }
answer() { words "$@" <"$work/reply"; }
fail() { echo "$1" >&2; exit 1; }
refused() { fail "$1: $(answer '"\(.code): \(.message)"')"; }

hash() { { sha256sum 2>/dev/null || shasum -a 256; } <"$1" | cut -d ' ' -f 1; }
paths() { words '[.artifacts[]?.file] | unique[]' <"$work/release"; }

# What latest*.yml, releases.*.json, appcast*.xml and *.sig tell of the files beside them: feeds, build, minimum_os,
# signatures, package_id, block_map_size and bundle where an artifact does not say it itself, and deltas and block maps.
IFS= read -r -d '' complete <<'JQ' || true
def name: split("/") | last;
def folder: .[:-(name | length)];
def order: capture("^(?<core>[0-9.]+)(-(?<rest>.*))?")
  | [(.core | split(".") | map(tonumber)), .rest == null, (.rest // "" | split(".") | map(tonumber? // .))];
def capturing($pattern): capture($pattern).text? // null;
def element($tag): capturing("<\($tag)>\\s*(?<text>[^<]*?)\\s*</");
def attribute($name): capturing("\\s\($name)=\"(?<text>[^\"]*)\"");

# Which files a text is about; a delta or block map is "of" a full.
def told($source):
  if $source | test("\\.blockmap$") then {file: $source, of: $source[:-9], kind: "blockmap", feeds: ["electron"]}
  elif $source | test("\\.yml$") then select(test("sha512: ")) | split("- url: ")[1:][]
    | {file: (split("\n")[0] | gsub("[^A-Za-z0-9._/-]"; "") | name), feeds: ["electron"],
        block_map_size: (capturing("blockMapSize: *(?<text>[0-9]+)") | tonumber? // null)}
  elif $source | test("^releases\\..*\\.json$") then fromjson.Assets | map(select(.Type == "Full")) as $fulls | .[] | . as $asset
    | {file: .FileName, feeds: ["velopack"], package_id: .PackageId} + if .Type == "Full" then {} else {
        kind: "delta", of: ($fulls | map(select(.Version == $asset.Version))[0].FileName),
        from_version: ($fulls | map(.Version | select(order < ($asset.Version | order))) | max_by(order))} end
  elif $source | test("^appcast.*\\.xml$") then [split("<item")[1:][] | {
      build: element("sparkle:version"), version: element("sparkle:shortVersionString"),
      minimum_os: element("sparkle:minimumSystemVersion"),
      enclosures: [scan("<enclosure\\s[^>]*>") | {
        file: (attribute("url") // "" | name), build: attribute("sparkle:version"),
        from: attribute("sparkle:deltaFrom"), ed25519_signature: attribute("sparkle:edSignature")}]}] as $items
    | $items[] | . as $item | .enclosures[] | .from as $from
    | {file, feeds: ["appcast"], ed25519_signature} + if $from == null
        then {build: ($item.build // .build), minimum_os: $item.minimum_os}
        else {kind: "delta", of: ($item.enclosures | map(select(.from == null))[0].file),
          from_version: ($items | map(select(.build == $from))[0].version)} end
  # So begins what tauri signs; other tools write *.sig too.
  elif test("^dW50cnVzdGVkIGNvbW1lbnQ6") then {file: $source[:-4], feeds: ["tauri"], minisign_signature: gsub("\\s"; ""),
    bundle: ($source | capturing("\\.(?<text>AppImage|deb|rpm|app|msi|nsis|exe)(\\.tar\\.gz|\\.zip)?\\.sig$")
      | if . == "exe" then "nsis" else ascii_downcase? // null end)}
  else empty end;

($beside | add // {}) as $beside | [.artifacts[]?.file] as $written
| [$beside | to_entries[] | (.key | folder) as $folder | (.key | name) as $source | .value | told($source)
    | with_entries(select(.value != null)) | (.file, .of // empty) |= $folder + .] as $told
| .artifacts |= [.[]? | .file as $file
  | [$told[] | select(.file == $file)] as $found
  | ({kind: "full"} + ($found | add // {} | del(.of)) + ($found | if . == [] then {} else {feeds: map(.feeds[]) | unique} end) + .) as $own
  | $own, ($told | map(select(.of == $file and (.file | in($beside)))) | unique_by(.file)[]
      | select($own.kind == "full" and (.feeds[0] | IN($own.feeds[]?)) and (.file | IN($written[]) | not))
      | select(.kind == "blockmap" or .from_version) | del(.of) + ($own | {platform, arch}))]
JQ
read_release() {
  local folder file
  words '[.artifacts[]?.file | .[:-(split("/") | last | length)]] | unique[]' <"$release" >"$work/folders"
  while IFS= read -r folder; do
    for file in "$folder"*; do
      case ${file##*/} in
        *.yml | releases.*.json | appcast*.xml | *.sig) jq --null-input --arg file "$file" --rawfile text "$file" '{($file): $text}' ;;
        *.blockmap | *.delta | *.nupkg) jq --null-input --arg file "$file" '{($file): ""}' ;;
      esac
    done
  done <"$work/folders" >"$work/beside"
  jq --slurpfile beside "$work/beside" "$complete" "$release" >"$work/release"
}

# Uploads a file; prints its id.
upload() {
  local path=$1 declared id status
  declared=$(jq --null-input --arg hash "$(hash "$path")" --argjson size "$(wc -c <"$path")" '{size_bytes: $size, sha256_hex: $hash}')
  jq --arg name "$(basename "$path")" '. + {filename: $name, content_type: "application/octet-stream", purpose: "release"}' \
    <<<"$declared" >"$work/intent"
  ask POST "$product/files/upload-intent" --data-binary "@$work/intent" || refused "$path"
  id=$(answer .product_file_id)
  answer '.required_headers | to_entries[] | "\(.key): \(.value)"' >"$work/headers"
  status=$(answer '"url = \(.upload_url | tojson)"' |
    curl --silent --show-error --retry 4 --request PUT --header "@$work/headers" --upload-file "$path" \
      --output "$work/stored" --write-out '%{http_code}' --config -) || fail "$path: the upload failed"
  # 412: it is there, since an attempt whose answer was lost.
  [[ $status == 2* || $status == 412 ]] || fail "$path: the upload failed: HTTP $status"
  ask POST "$product/files/$id/finalize" --data-binary "$declared" || refused "$path"
  echo "$id"
}

# Puts the release of the version into $work/reply.
find_release() {
  local cursor=''
  while ask GET "$product/releases?limit=100$cursor" || refused "$version"; do
    answer --arg version "$version" '.items[] | select(.version == $version)' >"$work/found"
    [[ ! -s $work/found ]] || { mv "$work/found" "$work/reply"; return; }
    [[ $(answer '.next_cursor // empty') ]] || fail "$version: there is no such release"
    cursor="&cursor=$(answer '.next_cursor | @uri')"
  done
}

# Fails where the release in $work/reply is without a file of ours.
compare() {
  local missing status advice='choose another version'
  missing=$(answer --slurpfile ours "$work/ours" \
    '[.artifacts[] | {platform, arch, kind, file_name, sha256_hex}] as $there
      | $ours | map(select((del(.file) | IN($there[])) | not).file) | unique | join(", ")')
  status=$(answer .status)
  case $status in draft) advice='run this again' ;; pending_review | approved) advice="withdraw it, or $advice" ;; esac
  [[ -z $missing ]] || fail "$version is $status without $missing: $advice."
}

# What was handed in can be changed no more; it is fine if it has our files.
already() {
  compare
  answer '"\(.version) is \(.status) already"'
  exit 0
}

# Makes the draft or edits it, and adds our files.
add() {
  local path id draft
  read_release
  while IFS= read -r path; do [[ -f $path ]] || fail "$path: no such file"; done < <(paths)
  while IFS= read -r path; do jq --null-input --arg file "$path" --arg hash "$(hash "$path")" '{($file): $hash}'; done < <(paths) >"$work/hashes"
  jq --slurpfile hashes "$work/hashes" \
    '($hashes | add) as $hashes | .artifacts[]? | {file, platform, arch, kind, file_name: (.file | split("/") | last), sha256_hex: $hashes[.file]}' \
    "$work/release" >"$work/ours"

  jq --arg version "$version" --rawfile notes "$notes" \
    '{channel: (if $version | test("-") then $version | capture("-(?<word>[^.]+)").word else "stable" end)} + .
      + {version: $version, notes: ($notes | gsub("\r"; ""))} | del(.artifacts)' \
    "$work/release" >"$work/draft"
  if ! ask POST "$product/releases" --data-binary "@$work/draft"; then
    [[ $(answer .code) == version_taken ]] || refused "$version"
    find_release
    already
  fi
  draft=$(answer .id)
  cp "$work/reply" "$work/known"

  while IFS= read -r path; do
    id=$(words --arg name "$(basename "$path")" --arg hash "$(hash "$path")" \
      'first(.artifacts[] | select(.file_name == $name and .sha256_hex == $hash).file_id) // empty' <"$work/known")
    if [[ -z $id ]]; then
      echo "Uploading $path"
      id=$(upload "$path")
    fi
    jq --null-input --arg file "$path" --arg id "$id" '{($file): $id}' >>"$work/ids"
  done < <(paths)
  [[ -f $work/ids ]] || { cp "$work/known" "$work/reply"; return; }

  jq --slurpfile ids "$work/ids" '($ids | add) as $ids | {artifacts: [.artifacts[] | .file_id = $ids[.file] | del(.file)]}' \
    "$work/release" >"$work/added"
  if ! ask POST "$product/releases/$draft/artifacts" --data-binary "@$work/added"; then
    [[ $(answer .code) == release_state_conflict ]] || refused "$version"
    # Another job handed it in meanwhile.
    find_release
    already
  fi
  compare
}

touch "$work/ours"
if [[ $only == submit ]]; then
  find_release
  [[ $(answer .status) == draft ]] || already
else
  add
fi
if [[ $only == add ]]; then
  answer '"\(.version) has the files (\(.id)): \(.status)"'
  exit 0
fi
ask POST "$product/releases/$(answer .id)/submit" --data '{}' || refused "$version"
compare
answer '"\(.version) is handed in (\(.id)): \(.status)"'
