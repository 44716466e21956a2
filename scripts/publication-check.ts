/** Before `npm publish`: the package says where its source and its issues are. A clone cannot know the address. */
import { readFileSync } from 'node:fs';

const { repository, homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly repository?: { readonly url?: string };
  readonly homepage?: string;
};
if (!/^git\+https:/.test(repository?.url ?? '') || !/^https:/.test(homepage ?? '')) {
  console.error(
    'package.json does not say where the source is. Set both addresses, then publish again:\n' +
      '  npm pkg set repository.type=git repository.url=git+https://HOST/OWNER/NAME.git homepage=https://HOST/OWNER/NAME',
  );
  process.exitCode = 1;
}
