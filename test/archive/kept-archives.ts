/** A tree with an address, and archives of it, made once for the files that read them. */
import path from 'node:path';
import { snapshot } from '../../build/archive/snapshot.ts';
import { keptFolder } from '../kept-folder.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, publisherAt, writePublisher } from '../publishers/publisher-folder.ts';

const SOURCES = ['build', 'test/publishers', 'test/archive/kept-archives.ts', 'package-lock.json'];

export interface KeptArchives {
  readonly publisher: PublisherFolder;
  /** `all` is of the whole tree, `rain` of one of its two datasets. */
  archive(name: `${'all' | 'rain'}.zip`): string;
}

export async function keptArchives(): Promise<KeptArchives> {
  const root = await keptFolder('archives', SOURCES, async out => {
    const publisher = await writePublisher(out);
    await buildPublisher(publisher, { baseUrl: 'https://data.example.org/arcadia/' });
    for (const [name, only] of [
      ['all', null],
      ['rain', 'climate/*'],
    ] as const)
      await snapshot(publisher.out, { out: path.join(out, `${name}.zip`), only }, () => undefined);
  });
  return { publisher: publisherAt(root), archive: name => path.join(root, name) };
}
