/**
 * A host that keeps releases side by side: each request is answered from one of them, whole, however often another
 * is switched to meanwhile. What is switched is read again after a while; a release itself never changes.
 */
import { isRelease, RELEASES } from '../../build/format/paths.ts';
import { type Answer, bodyAnswer } from './answer.ts';
import { Kept } from './files/kept.ts';
import { errorHeaders } from './respond/headers.ts';
import { refuse } from './respond/refusal.ts';

/** Where releases are, and what answers from each. A `place` is whatever names one to the host: a folder, a prefix. */
export interface ReleaseHost<Server> {
  /** The place of the release that is online. */
  readCurrent(): Promise<string>;
  /** The place of a release that is there whole; null where it is not. */
  findRelease(release: string): Promise<string | null>;
  /** Kept for as long as it is asked for. */
  open(place: string): Server;
}

/** Where in a host's paths a tree stands, and the path in the tree. */
export interface Below {
  readonly root: string;
  readonly path: string;
}

export interface Chosen<Server> {
  readonly server: Server;
  readonly below: Below;
}

export interface ReleaseOptions {
  /** Milliseconds after which it is read again which release is online. */
  readonly refreshAfter: number;
  readonly now?: () => number;
}

/** Releases that are held open, with what they keep in memory: the current one, and those asked for by name last. */
const MOST_OPEN = 3;

/** Keeps what has been read and never what is being read, as the catalog does. */
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
   * What answers a path: the release that it begins with, else the one that is online. An answer in place of these
   * where the path names a release that is not here, or a release without its final slash.
   */
  async choose(path: string): Promise<Chosen<Server> | Answer> {
    const [, folder, release = '', ...rest] = path.split('/', 4);
    if (folder !== RELEASES || !isRelease(release))
      return { server: this.open(await this.current()), below: { root: '', path } };
    const root = `/${RELEASES}/${release}`;
    if (rest.length === 0) return bodyAnswer(301, errorHeaders({ Location: `${root}/` }));
    const place = await this.host.findRelease(release);
    if (place === null) return refuse(404, `Release ${release} is not kept here.`);
    return { server: this.open(place), below: { root, path: path.slice(root.length) } };
  }

  /** What is online is read again when it is next asked for. */
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

/** Whether `choose` gave an answer in place of a server. */
export function isAnswer(chosen: Chosen<unknown> | Answer): chosen is Answer {
  return 'kind' in chosen;
}
