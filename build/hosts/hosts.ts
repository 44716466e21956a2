/** The list of hosts. */
import { cloudflare } from './cloudflare.ts';
import { cloudflareR2 } from './cloudflare-r2.ts';
import { generic } from './generic.ts';
import { githubPages } from './github-pages.ts';
import type { HostProfile } from './host-profile.ts';
import { nginx } from './nginx.ts';
import { s3Cloudfront } from './s3-cloudfront.ts';

const ALL = [githubPages, s3Cloudfront, cloudflare, cloudflareR2, nginx, generic] as const;

export type HostName = (typeof ALL)[number]['name'];

export const HOST_NAMES: readonly HostName[] = ALL.map(host => host.name);

export const HOSTS = Object.fromEntries(
  ALL.map((host): [string, HostProfile] => [host.name, host]),
) as Readonly<Record<HostName, HostProfile>>;
