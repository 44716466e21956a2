// The least that a viewer-request function in front of a bucket of releases has to do. Each release has its own copy,
// with its name in place of the mark; publishing it is the switch.
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  var request = event.request;
  if (request.uri.indexOf('/releases/') !== 0) request.uri = '/releases/@RELEASE@' + request.uri;
  if (request.uri.slice(-1) === '/') request.uri += 'index.html';
  return request;
}
