/** mirror.sh copies a tree from any host and updates the copy, with only a POSIX shell. Pure. */
import { API_ROOT, ROOT } from '../format/paths.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `baseUrl`: the script's default address. */
export function mirrorScript(baseUrl: string | null): string {
  return SCRIPT.replace('@BASE@', () => quoted(baseUrl ?? ''))
    .replaceAll('@SUMS@', ROOT.checksums)
    .replaceAll('@API@', API_ROOT);
}

const SCRIPT = String.raw`#!/bin/sh
# Copies this tree of files, or updates a copy: fetches files that are missing or do not match @SUMS@, checks them,
# and removes files that the tree no longer has. After an interruption it continues where it stopped. It leaves your
# own files in the folder alone.
#
#   sh mirror.sh [-d folder] [-o domain/topic]... [address of the tree]
#
#   -d  folder of the copy (default: mirror)
#   -o  only this dataset, with its domain's dimensions and the documents of the whole tree; may be repeated
#
# Needs curl or wget, and sha256sum or shasum. Exit codes: 0 the copy is complete, 1 it is incomplete, 2 wrong use.
set -eu
LC_ALL=C
export LC_ALL
base=@BASE@
folder=mirror
only=

usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | grep -v '^set' >&2
  exit 2
}

while getopts d:o: option; do
  case $option in
    d) folder=$OPTARG ;;
    o) only="$only $OPTARG" ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || base=$1
case $base in
  http://* | https://*) ;;
  *) usage ;;
esac
base=$(printf '%s\n' "$base" | sed 's|/*$|/|')

if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
if command -v curl >/dev/null; then
  with=curl
elif command -v wget >/dev/null; then
  with=wget
else
  echo 'Neither curl nor wget is installed.' >&2
  exit 2
fi

mkdir -p "$folder/.mirror/files"
folder=$(cd "$folder" && pwd)
work=$folder/.mirror

# Fetches the paths of a list into the work folder. Their hashes show later which failed.
fetch() {
  if [ $with = curl ]; then
    awk -v base="$base" -v out="$work/files/" \
      '{ printf "url = \"%s%s\"\noutput = \"%s%s\"\n", base, $0, out, $0 }' "$1" >"$work/curl.conf"
    curl --fail --silent --show-error --location --remote-time --create-dirs --retry 3 $2 -K "$work/curl.conf"
  else
    sed "s|^|$base|" "$1" >"$work/urls"
    cut=$(printf '%s' "$base" | sed 's|^[a-z]*://[^/]*/||' | tr -cd / | wc -c)
    wget --no-verbose --tries=3 --force-directories --no-host-directories --cut-dirs=$((cut)) \
      --directory-prefix="$work/files" $2 --input-file="$work/urls" 2>"$work/log" || {
      grep -i error "$work/log" >&2 || :
      return 1
    }
  fi
}

# Prints the paths of a list of checksums whose files in a folder are missing or wrong.
wrong() {
  (cd "$2" && $sum -c "$1" 2>/dev/null) | sed -n 's/: FAILED.*//p'
}

# Prints the requested lines of a list of checksums. No path may lead out of the folder.
wanted() {
  grep -E '^[0-9a-f]{64}  [A-Za-z0-9._][A-Za-z0-9._=+@~/-]*$' "$1" | grep -v -e '\.\.' -e '  \.mirror/' |
    awk -v only="$only" -v api=@API@/ '
      { path = substr($0, 67) }
      only == "" || index(path, api) != 1 { print; next }
      {
        rest = substr(path, length(api) + 1)
        if (rest !~ /\// || rest ~ /^datasets\/index\.[a-z]*$/) { print; next }
        count = split(only, keys, " ")
        for (i = 1; i <= count; i++) {
          split(keys[i], key, "/")
          if (index(rest, keys[i] "/") == 1 || index(rest, "datasets/" keys[i] "/") == 1 ||
              index(rest, key[1] "/_dimensions/") == 1 || rest == key[1] "/index.html" ||
              rest == "datasets/" key[1] "/index.html") { print; next }
        }
      }'
}

whole=no
for attempt in 1 2 3; do
  # Fetched again each time, because the release may have changed.
  rm -f "$work/files/@SUMS@"
  echo @SUMS@ >"$work/list"
  # An incomplete list would remove part of the copy.
  if ! fetch "$work/list" '' || [ ! -s "$work/files/@SUMS@" ]; then
    echo "$base"'@SUMS@ cannot be fetched. Give the address of a tree.' >&2
    exit 1
  fi
  mv "$work/files/@SUMS@" "$work/sums"
  wanted "$work/sums" >"$work/wanted"
  for dataset in $only; do
    if ! grep -q "  @API@/$dataset/manifest.json" "$work/wanted"; then
      echo "$base has no dataset $dataset." >&2
      exit 1
    fi
  done
  wrong "$work/wanted" "$folder" >"$work/missing"
  awk 'FILENAME == ARGV[1] { missing[$0]; next } substr($0, 67) in missing' \
    "$work/missing" "$work/wanted" >"$work/needed"
  wrong "$work/needed" "$work/files" >"$work/list"
  if [ $attempt = 1 ]; then
    if [ $with = curl ]; then resume='--continue-at -'; else resume=--continue; fi
  else
    # A partial file of another release, or a host that cannot resume: start again.
    resume=
    while read -r path; do rm -f "$work/files/$path"; done <"$work/list"
  fi
  [ ! -s "$work/list" ] || fetch "$work/list" "$resume" || :
  wrong "$work/needed" "$work/files" >"$work/list"
  if [ ! -s "$work/list" ]; then
    whole=yes
    break
  fi
done
if [ $whole = no ]; then
  sed 's/^/does not match @SUMS@: /' "$work/list" >&2
  echo "$(($(wc -l <"$work/list"))) files are missing. Run this again to continue." >&2
  exit 1
fi

# A folder at a time: a process for each file would take minutes of a large tree. Paths have no blanks or quotes.
awk '
  function flush(folder) { print "mv -f" files[folder] " ../../" folder; files[folder] = "" }
  {
    folder = match($0, /.*\//) ? substr($0, 1, RLENGTH) : ""
    if (folder != "" && !(folder in count)) print "mkdir -p ../../" folder
    files[folder] = files[folder] " ./" $0
    if (++count[folder] % 500 == 0) flush(folder)
  }
  END { for (folder in files) if (files[folder] != "") flush(folder) }' "$work/missing" >"$work/moves"
(cd "$work/files" && sh -e "$work/moves")
fetched=$(($(wc -l <"$work/missing")))

# Removes the files of the earlier release that this one lacks.
removed=0
if [ -f "$folder/@SUMS@" ]; then
  only=
  wanted "$folder/@SUMS@" | cut -c 67- >"$work/old"
  wanted "$work/sums" | cut -c 67- >"$work/new"
  awk 'FILENAME == ARGV[1] { new[$0]; next } !($0 in new)' "$work/new" "$work/old" >"$work/list"
  while read -r path; do
    [ -f "$folder/$path" ] || continue
    rm -f "$folder/$path"
    removed=$((removed + 1))
    parent=$(dirname "$path")
    while [ "$parent" != . ] && rmdir "$folder/$parent" 2>/dev/null; do parent=$(dirname "$parent"); done
  done <"$work/list"
fi
mv -f "$work/sums" "$folder/@SUMS@"
rm -rf "$work"
echo "$fetched files fetched, $removed removed. $folder matches $base."
`;
