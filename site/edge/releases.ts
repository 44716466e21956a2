/**
 * A host that keeps releases side by side. Each answer is of one release, whole, even if another becomes current
 * meanwhile. The name of the current release is read again after a while; a release itself never changes.
 */
import { isRelease, RELEASES } from '../../build/format/paths.ts';
import { type BodyAnswer, bodyAnswer } from './answer.ts';
import { Kept } from './files/kept.ts';
import { errorHeaders } from './respond/headers.ts';
import { refuse } from './respond/refusal.ts';

/**
 * Where a host keeps releases, and what answers from each. A `place` names a release to its host: a folder, or a prefix
 * of keys.
 */
export interface ReleaseHost<Server> {
  /** The place of the current release. */
  readCurrent(): Promise<string>;
  /** The place of a complete release; null where the host has none of that name. */
  findRelease(release: string): Promise<string | null>;
  /** The server is kept while requests keep coming. */
  open(place: string): Server;
}

/** Where a tree stands among its host's paths, and a path within the tree. */
export interface Below {
  readonly root: string;
  readonly path: string;
}

export interface Chosen<Server> {
  readonly server: Server;
  readonly below: Below;
}

export interface ReleaseOptions {
  /** Milliseconds after which the host is asked again which release is current. */
  readonly refreshAfter: number;
  readonly now?: () => number;
}

/** Releases that stay open, with what they keep in memory: the current one, and those last asked for by name. */
const MOST_OPEN = 3;

/** Keeps answers of the host, never questions that are under way, as the catalog does. */
export class Releases<Server> {
  private readonly host: ReleaseHost<Server>;
  private readonly options: Required<ReleaseOptions>;
  private readonly opened = new Kept<Server>(MOST_OPEN);
  private place: string | null = null;
  private checked = 0;

  constructor(host: ReleaseHost<Server>, options: ReleaseOptions) {
    this.host = host;
    this.options = { now: Date.now, ...options };
  }

  /**
   * Chooses the release that a path begins with, else the current one. Gives an answer instead where the path names a
   * release that the host does not keep, or lacks the final slash of a release.
   */
  async choose(path: string): Promise<Chosen<Server> | BodyAnswer> {
    const [, folder, release = '', ...rest] = path.split('/', 4);
    if (folder !== RELEASES || !isRelease(release))
      return { server: this.open(await this.current()), below: { root: '', path } };
    const root = `/${RELEASES}/${release}`;
    if (rest.length === 0) return bodyAnswer(301, errorHeaders({ Location: `${root}/` }));
    const place = await this.host.findRelease(release);
    if (place === null) return refuse(404, `This host does not keep release ${release}.`);
    return { server: this.open(place), below: { root, path: path.slice(root.length) } };
  }

  /** The next request asks again which release is current. */
  forget(): void {
    this.place = null;
  }

  private async current(): Promise<string> {
    const now = this.options.now();
    if (this.place !== null && now - this.checked < this.options.refreshAfter) return this.place;
    this.place = await this.host.readCurrent();
    this.checked = now;
    return this.place;
  }

  private open(place: string): Server {
    const known = this.opened.get(place);
    if (known) return known;
    const server = this.host.open(place);
    this.opened.keep(place, server, 1);
    return server;
  }
}

/** Whether `choose` gave an answer instead of a server. */
export function isAnswer(chosen: Chosen<unknown> | BodyAnswer): chosen is BodyAnswer {
  return 'kind' in chosen;
}
