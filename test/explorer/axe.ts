/** What axe-core finds in a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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
