/** A page whose requests the service worker answers. */
import type { Browser } from 'playwright-core';
import { type Host, openPage, type Visit } from '../explorer/browser.ts';

/** A page that the worker controls. */
export async function openControlled(browser: Browser, host: Host): Promise<Visit> {
  const visit = await openPage(browser, `${host.url}bare.html`);
  await visit.page.evaluate(async root => {
    const controlled = new Promise(done =>
      navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }),
    );
    await navigator.serviceWorker.register(`${root}service-worker.js`, { scope: new URL(root).pathname });
    await controlled;
  }, host.url);
  return visit;
}

export function askPage({ page }: Visit, path: string, method: string) {
  return page.evaluate(
    async ([where, how]) => {
      const response = await fetch(where!, { method: how! });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        link: response.headers.get('link'),
        body: Array.from(bytes, byte => String.fromCharCode(byte)).join(''),
      };
    },
    [path, method],
  );
}
