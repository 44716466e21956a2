/** The explorer's controls as a reader uses them with the keyboard: no focus is lost, and a mistake stays where it is. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useSampleTree } from '../conformance/sample-tree.ts';
import { accessibilityFindings } from './axe.ts';
import { CHROMIUM, openPage, useEdgePages } from './browser.ts';
import { EXPLORED, openPages } from './explored-tree.ts';

const ATTENDANCE = 'datasets/education/attendance/';
const GRADUATION = 'datasets/education/graduation_rate_4_year_cohort/';

describe.skipIf(CHROMIUM === null)('the controls of the explorer in Chromium', () => {
  const sample = useSampleTree(EXPLORED, { openPages });
  const edge = useEdgePages(() => sample.tree);

  const open = async (path: string, ready = '.explore-count') => {
    const visit = await openPage(edge.browser, edge.host.url + path);
    await visit.page.waitForSelector(ready);
    return visit;
  };
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.id ?? '';
    });
  const count = async (query: string) =>
    (await (await fetch(`${edge.host.url}api/v1/${query}`)).json()).total;

  test('a range of a figure is written in percent, is in the address, and a mistake stays beside it', async () => {
    const { page, faults } = await open(`${GRADUATION}?year=2024&detail=schools&demographic=all&view=table`);
    await page.getByText('More filters', { exact: true }).click();
    await page.getByLabel('Only rows within a range of').selectOption({ label: 'Graduation rate' });
    await expect.poll(() => focused(page)).toBe('Graduation rate (percent): from');
    await page.keyboard.type('80.5%');
    await page.keyboard.press('Tab');
    await page.keyboard.type('many');
    await page.keyboard.press('Enter');
    const wrong = page.locator('.explore-range [role=alert]');
    expect(await wrong.textContent()).toBe('“many” is no number.');
    expect(await page.getByLabel('Graduation rate (percent): to').getAttribute('aria-invalid')).toBe('true');
    expect(page.url()).toContain('graduation_rate_min=0.805');
    expect(page.url()).not.toContain('graduation_rate_max');
    await page.getByLabel('Graduation rate (percent): to').fill('70');
    await page.keyboard.press('Enter');
    expect(await wrong.textContent()).toContain('below the least');
    await page.getByLabel('Graduation rate (percent): to').fill('90');
    await page.keyboard.press('Enter');
    const query =
      '?year=2024&detail=schools&demographic=all&graduation_rate_min=0.805&graduation_rate_max=0.9';
    expect(new URL(page.url()).search).toBe(query);
    expect(await wrong.count()).toBe(0);
    const total = await count(`education/graduation_rate_4_year_cohort${query}`);
    await page.locator('.explore-count', { hasText: `${total} rows` }).waitFor();
    expect(await page.locator('.explore-shown').textContent()).toContain('Graduation rate: 80.5% to 90%');
    expect(await accessibilityFindings(page, '#explore')).toEqual([]);
    await page.goBack();
    await expect.poll(() => page.getByLabel('Graduation rate (percent): to').inputValue()).toBe('');
    await page.getByLabel('Remove the range of Graduation rate').click();
    await expect.poll(() => focused(page)).toBe('explore-ranges');
    expect(page.url()).not.toContain('graduation_rate_m');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the focus moves to the next chip, then to the field; no list is a dead stop', async () => {
    const { page, faults } = await open(`${ATTENDANCE}?detail=districts&place=601,615&view=table`);
    const chips = page.getByRole('button', { name: /^Remove / });
    await chips.first().focus();
    const last = await chips.last().getAttribute('aria-label');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe(last);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('explore-places');
    const field = page.locator('#explore-places');
    await field.click();
    const options = page.locator('#explore-places-list [role=option]');
    await options.first().waitFor();
    // The chosen option is in sight, however long the list is.
    for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowDown');
    const active = page.locator(`#${await field.getAttribute('aria-activedescendant')}`);
    const [option, list] = [
      await active.boundingBox(),
      await page.locator('#explore-places-list').boundingBox(),
    ];
    expect(option!.y + option!.height).toBeLessThanOrEqual(list!.y + list!.height + 1);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).not.toMatch(/places/);
    expect(await focused(page)).toBe('explore-detail');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('nowhere at all');
    expect(await page.locator('.explore-search .hint[role=status]').first().textContent()).toContain(
      'Nothing is called “nowhere at all”',
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.type('x');
    expect(await field.inputValue()).toBe('xnowhere at all');
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('explore-places');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('filters stay open when the last of them is removed, and a view that opens is announced', async () => {
    const path = 'datasets/immigration/ice_detention_stays/?detail=counties&view=bars';
    const { page, faults } = await open(path, '.explore-drawing svg');
    await page.getByRole('button', { name: 'Map' }).click();
    await page.waitForSelector('.explore-map svg');
    const said = page.locator('.explore-stage > p[role=status]');
    await expect.poll(() => said.textContent()).toMatch(/^Map: .+ Highest/);
    await page.goto(`${edge.host.url}${GRADUATION}?detail=schools&graduation_rate_min=0.5&view=table`);
    await page.waitForSelector('.explore-count');
    const more = page.locator('.explore-form details');
    expect(await more.getAttribute('open')).not.toBeNull();
    await page.getByLabel('Remove the range of Graduation rate').click();
    await expect.poll(() => focused(page)).toBe('explore-ranges');
    expect(await more.getAttribute('open')).not.toBeNull();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a chosen place without rows has its name, from the list of places', async () => {
    const path = 'datasets/education/graduation_rate_4_year_cohort/?detail=schools&place=601:0101&view=chart';
    const { page, faults } = await open(path, '.explore-drawing svg');
    const name = 'Sample Elementary School 0101, Sample District 601';
    await page.getByText(`This dataset has no rows about ${name}.`).waitFor();
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    expect(await page.title()).toContain(name);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
