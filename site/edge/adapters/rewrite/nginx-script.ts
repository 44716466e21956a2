/** nginx's configuration for a tree, and its script. */
import { CACHE_CONTROL, COMMON, OPTIONS_HEADERS, TYPES } from '../../respond/headers.ts';
import type { Entries } from './entry.ts';
import type { HostFile } from './host-file.ts';
import { createNginx } from './nginx.ts';
import { createRules } from './rules.ts';

export function renderNginx(entries: Entries): readonly HostFile[] {
  return [
    { path: 'civic-njs.js', text: renderScript(entries) },
    { path: 'nginx.conf', text: renderConfiguration() },
  ];
}

function renderScript(entries: Entries): string {
  const preflight = Object.entries(OPTIONS_HEADERS).filter(([name]) => !(name in COMMON));
  return `// Which file of the tree answers a request, for nginx's module for JavaScript.
const rules = (${createRules})();

// Of each dataset and dimension: its filters; its years; its levels, each with the rows of its slices in base 36.
const table = ${renderTexts(entries)};

export default (${createNginx})(rules, table, ${renderTexts(preflight)});
`;
}

function renderTexts(texts: Entries): string {
  return JSON.stringify(Object.fromEntries(texts), null, 2);
}

/** What a text is worth compressing. Parquet and archives are compressed; a compressed answer has no ranges. */
const COMPRESSED =
  /^(text\/|application\/(json|ld\+json|yaml|sql|xml|x-ndjson|manifest\+json|wasm)|image\/svg)/;

function renderConfiguration(): string {
  const types = Object.entries(TYPES).map(([extension, type]) => [type.split(';')[0]!, extension] as const);
  const names = [...new Set(types.map(([type]) => type))];
  const texts = new Set(
    Object.values(TYPES).flatMap(type => (/; charset/.test(type) ? [type.split(';')[0]!] : [])),
  );
  const headers = Object.entries({
    ...COMMON,
    'Cache-Control': '$civic_cache',
    Vary: '$civic_vary',
    'Content-Disposition': '$civic_name',
  });
  return `# Serves a tree and the API's own URLs, by rewriting. Belongs into nginx's http block, as conf.d/civic.conf, and
# civic-njs.js beside nginx's own nginx.conf. Needs the module for JavaScript: libnginx-mod-http-js in Debian.
js_import civic from civic-njs.js;
js_set $civic_file civic.file;

map $status $civic_cache {
  default no-store;
  ~^(2..|304)$ "${CACHE_CONTROL}";
}
map $request_uri $civic_vary {
  ~^/(\\?|$) Accept;
}
# The API's URLs have no extension: without a name, a saved answer would have none either.
map "$request_uri $civic_file" $civic_name {
  "~^/api/v1/(?<civic_domain>[a-z0-9_-]+)/(?<civic_topic>[a-z0-9_-]+)\\?\\S+ \\S+\\.(?<civic_format>csv|parquet)$"
    'attachment; filename="$civic_domain-$civic_topic.$civic_format"';
  "~^/api/v1/[a-z0-9_-]+/_dimensions/(?<civic_dimension>[a-z0-9_-]+)\\?\\S+ \\S+\\.(?<civic_format>csv|parquet)$"
    'attachment; filename="$civic_dimension.$civic_format"';
}
map $status $civic_detail {
  default "This should not have happened.";
  400 "This is no request that this server understands, or its headers are too long.";
  403 "This may not be read.";
  404 "Nothing is published here. /api/v1/datasets lists all datasets.";
  405 "This service is read-only: ${OPTIONS_HEADERS.Allow} are the methods it knows.";
  412 "This is not what If-Match or If-Unmodified-Since asks for. Ask anew.";
  413 "This service takes nothing in.";
  414 "A path has at most 2048 characters, a query at most 8191.";
}

server {
  listen 80;
  listen [::]:80;
  set $civic_root /srv/civic/current;
  root $civic_root;

${headers.map(([name, value]) => `  add_header ${name} "${value}" always;`).join('\n')}

  types {
${names.map(name => `    ${name} ${types.flatMap(([type, extension]) => (type === name ? [extension] : [])).join(' ')};`).join('\n')}
  }
  default_type text/plain;
  charset utf-8;
  charset_types ${[...texts]
    .filter(type => type !== 'text/html')
    .sort()
    .join(' ')};
  gzip on;
  gzip_static on;
  gzip_vary on;
  gzip_min_length 1000;
  gzip_types ${names.filter(name => name !== 'text/html' && COMPRESSED.test(name)).join(' ')};

  # A URL of 8 kB is answered by the script; what is longer, by nginx.
  large_client_header_buffers 4 16k;
  client_max_body_size 1k;
  absolute_redirect off;
  server_tokens off;

  location / {
    try_files $civic_file @civic;
  }
  location @civic {
    if (-f $document_root$civic_file/index.html) {
      return 301 $civic_file/$is_args$args;
    }
    js_content civic.refuse;
  }
  error_page 400 403 404 405 412 413 414 494 500 502 503 504 /.civic-error;
  location = /.civic-error {
    internal;
    default_type application/json;
    return 200 '{"detail":"$civic_detail"}\\n';
  }
  # nginx has by then added the headers above, and would add them once more.
  error_page 416 /.civic-range;
  location = /.civic-range {
    internal;
    add_header Vary "";
    default_type application/json;
    return 200 '{"detail":"The file has no such bytes."}\\n';
  }
}
`;
}
