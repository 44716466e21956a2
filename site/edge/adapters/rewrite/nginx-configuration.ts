import { CACHE_CONTROL, TYPES } from '../../../../build/format/media-type.ts';
import { PAGES, ROOT } from '../../../../build/format/paths.ts';
import { ACCEPTS_HTML, COMMON, METHODS, PAGE_POLICY } from '../../respond/headers.ts';
import { COMPRESSED } from '../../respond/representation.ts';

export function renderConfiguration(): string {
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
    Allow: '$civic_allow',
    'Content-Security-Policy': '$civic_policy',
  });
  return `# Serves a tree and the API's own URLs, by rewriting. Include it in nginx's http block, as conf.d/civic.conf, and put
# civic-njs.js next to nginx's own nginx.conf. Needs the module for JavaScript: libnginx-mod-http-js in Debian.
# Neither file depends on a release: copy them again, and reload nginx, only after an update of civic.
js_import civic from civic-njs.js;
js_set $civic_release civic.tree;
js_set $civic_file civic.file;
js_set $civic_misread civic.whole;

# Only requests with a Range need a check.
map $http_range $civic_whole {
  default $civic_misread;
  '' '';
}
map $status $civic_cache {
  default no-store;
  ~^(2..|304)$ "${CACHE_CONTROL}";
}
map $request_uri $civic_vary {
  ~^(/releases/[0-9a-f-]+)?/(\\?|$) Accept;
}
# The API's URLs have no extension, so a saved answer needs a name.
map "$request_uri $civic_file" $civic_name {
  "~^(/releases/[0-9a-f-]+)?/api/v1/(?<civic_domain>[a-z0-9_-]+)/(?<civic_topic>[a-z0-9_-]+)\\?\\S+ \\S+\\.(?<civic_format>csv|parquet)$"
    'attachment; filename="$civic_domain-$civic_topic.$civic_format"';
  "~^(/releases/[0-9a-f-]+)?/api/v1/[a-z0-9_-]+/_dimensions/(?<civic_dimension>[a-z0-9_-]+)\\?\\S+ \\S+\\.(?<civic_format>csv|parquet)$"
    'attachment; filename="$civic_dimension.$civic_format"';
}
# In addition to each page's own policy: other sites can't show it in a frame, except the page made for that.
map "$sent_http_content_type $uri" $civic_policy {
  "~^text/html.*/${PAGES.embed.replace('.', '\\.')}$" "${PAGE_POLICY.replace("'self'", '*')}";
  ~^text/html "${PAGE_POLICY}";
}
map $status $civic_allow {
  405 "${METHODS}";
}
# People get a page with suggestions, programs a document.
map $http_accept $civic_missing {
  default /.civic-error;
  "~*${ACCEPTS_HTML.source}" /.civic-missing;
}
map $status $civic_detail {
  default "This should not have happened.";
  400 "The server cannot read this request, or its headers are too long. Percent-encode characters of the address that are not ASCII, as UTF-8.";
  403 "You may not read this.";
  404 "Nothing is published here. /api/v1/datasets lists all datasets.";
  405 "This service is read-only: ${METHODS} are the methods it knows.";
  412 "This is not the version that If-Match or If-Unmodified-Since names. Request it again.";
  413 "This service accepts no data.";
  414 "A path has at most 2048 characters, a query at most 8191.";
}

server {
  listen 80;
  listen [::]:80;
  # The folder with current (a tree or a link to one) and releases/.
  set $civic_store /srv/civic;
  set $civic_tree $civic_release;
  root $civic_tree;

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
  gzip_comp_level 5;
  gzip_types ${names.filter(name => name !== 'text/html' && COMPRESSED.test(name)).join(' ')};

  # The script answers URLs of up to 8 kB, nginx longer ones.
  large_client_header_buffers 4 16k;
  client_max_body_size 1k;
  absolute_redirect off;
  server_tokens off;

  if_modified_since before;

  location / {
    if ($request_uri ~ "[^\\x21-\\x7e]") {
      return 400;
    }
    if ($civic_whole) {
      rewrite ^ /.civic-whole last;
    }
    try_files $civic_file @civic;
  }
  # An invalid Range is ignored.
  location = /.civic-whole {
    internal;
    max_ranges 0;
    try_files $civic_file @civic;
  }
  location @civic {
    js_content civic.refuse;
  }
  error_page 404 $civic_missing;
  # The status stays 404. A tree of an older build has no such page.
  location = /.civic-missing {
    internal;
    try_files /${ROOT.notFound} /.civic-error;
  }
  error_page 400 403 405 412 413 414 494 500 502 503 504 /.civic-error;
  location = /.civic-error {
    internal;
    default_type application/json;
    return 200 '{"detail":"$civic_detail"}\\n';
  }
  # nginx has already added the headers above, and would add them again.
  error_page 416 /.civic-range;
  location = /.civic-range {
    internal;
    add_header Vary "";
    js_header_filter civic.forget;
    default_type application/json;
    return 200 '{"detail":"The file has no such bytes."}\\n';
  }
}
`;
}
