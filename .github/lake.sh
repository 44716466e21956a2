#!/bin/sh
# The lake that a workflow publishes: data/lake of the checkout, or a sample if SAMPLE is true. It stops otherwise,
# because a sample in place of a lake would publish invented figures.
set -eu
if [ "${SAMPLE:-}" = true ]; then
  test -d data/lake || npm run sample
elif [ -f data/lake/_sample.json ]; then
  echo '::error::data/lake is a sample of invented figures, so nothing is published. Put your lake in its place, or set the variable PUBLISH_SAMPLE to true.'
  exit 1
elif ! [ -d data/lake ]; then
  echo '::error::There is no data/lake, so nothing is published. Remove data/lake/ from .gitignore and commit your lake, or fetch it in a step before this one. To publish a sample of invented figures, set the variable PUBLISH_SAMPLE to true.'
  exit 1
fi
