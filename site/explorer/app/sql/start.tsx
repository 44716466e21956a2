/** Starts the console of the SQL page. */
import '../../style/sql.css';
import { render } from 'preact';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { Console } from './console.tsx';
import type { SqlTable } from './editor.ts';

/** `page` lists the tables; `root` is the tree's root. */
export function startSql(page: HTMLElement, root: URL): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  const examples = [...page.querySelectorAll<HTMLElement>('.sql-example')].map(readExample);
  place.replaceChildren();
  let ask = (_statement: string): void => undefined;
  render(
    <Console
      engine={openEngine(root)}
      tables={readTables(page)}
      first={examples[0]?.query ?? 'SELECT 1'}
      isSample={document.documentElement.dataset['sample'] === 'true'}
      onReady={given => {
        ask = given;
      }}
    />,
    place,
  );
  for (const { element, query, description } of examples)
    element.append(makeButton(description, () => ask(query)));
}

interface Example {
  readonly element: HTMLElement;
  readonly query: string;
  readonly description: string;
}

function readExample(element: HTMLElement): Example {
  const text = (selector: string) => element.querySelector(selector)?.textContent ?? '';
  return { element, query: text('pre'), description: text('figcaption') };
}

/** Reads the tables' names from the page, which saves a request. */
function readTables(page: HTMLElement): readonly SqlTable[] {
  return [...page.querySelectorAll<HTMLElement>('[data-table]')].map(element => ({
    name: element.dataset['table'] ?? '',
    columns: [...element.querySelectorAll<HTMLElement>('[data-column]')].map(row => ({
      name: row.dataset['column'] ?? '',
      about: row.querySelector('td:last-child')?.textContent ?? '',
    })),
  }));
}

function makeButton(description: string, use: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  button.textContent = t.sql.ask;
  button.setAttribute('aria-label', t.sql.askExample(description));
  button.addEventListener('click', use);
  return button;
}
