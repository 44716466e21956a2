/** What is wrong with a page for some of its readers. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { overflow, SCREENS } from './browser.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** By rule of WCAG 2.2 A and AA and of good practice, each with the elements that break it. */
export async function accessibilityFindings(page: Page, part?: string): Promise<string[]> {
  // Evaluated, not added: the page's policy stays in force.
  await page.evaluate(await readFile(AXE, 'utf8'));
  const findings = await page.evaluate(async (selector): Promise<readonly Finding[]> => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: unknown, options: object): Promise<{ violations: readonly Finding[] }> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(selector ?? document, { runOnly: { type: 'tag', values: tags } });
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary: failureSummary ?? '' })),
    }));
  }, part);
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

/** What axe-core finds, and whether the page is wider than its window, at every width and in both schemes. */
export async function faultsAt(page: Page, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { viewport, colorScheme } of SCREENS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found = await accessibilityFindings(page, part);
    const wider = await overflow(page);
    faults.push(...found, ...(wider > 0 ? [`${wider} px wider than ${viewport.width}`] : []));
  }
  return faults;
}
