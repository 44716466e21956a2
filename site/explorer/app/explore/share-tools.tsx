/**
 * Ways to the shown rows: the API, SQL, and a frame for other sites. Loads when a
 * reader asks for them.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGES, pageFolderOf } from '../../../../build/format/paths.ts';
import { renderCondition } from '../../../query/condition.ts';
import { formatQuery } from '../../../query/query-string.ts';
import { parseRequest } from '../../../query/request.ts';
import { quoteName } from '../../../query/select-sql.ts';
import { t } from '../../messages/messages.ts';
import { writeFrame } from '../../view/frame.ts';
import { type Question, toParameters, type ViewState } from '../../view/question.ts';
import { formatState } from '../../view/state.ts';
import { root } from '../../view/tree-root.ts';
import { VIEWS } from '../../view/views.ts';
import { titleView } from '../../view/wording.ts';
import { addCopyButton } from '../copy-button.ts';
import { findFixedRoot } from './release-root.ts';

/** Of the shown rows. */
export function apiAddress(state: ViewState): string {
  return new URL(`api/v1/${state.dataset.key}${formatQuery(toParameters(state))}`, root).href;
}

function ApiRequest({ state }: ShareProps) {
  const statement = writeStatement(state);
  const console = new URL(`${PAGES.sql}/#${new URLSearchParams({ q: statement ?? '' })}`, root).href;
  return (
    <div class="explore-share">
      {statement !== null && (
        <a class="button quiet small" href={console}>
          {t.save.openInSql}
        </a>
      )}
      <CopiedText label={t.save.sameRows} text={apiAddress(state)} />
      <p class="hint">{t.save.plainHost}</p>
    </div>
  );
}

function CopiedText({ label, text }: { readonly label: string; readonly text: string }) {
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => addCopyButton(block.current!), []);
  return (
    <>
      <p class="hint">{label}</p>
      <div class="code with-copy" role="group" aria-label={label} data-label={label} ref={block}>
        <pre tabIndex={0}>{text}</pre>
      </div>
    </>
  );
}

interface ShareProps {
  readonly state: ViewState;
}

function EmbedText({ state }: ShareProps) {
  const [fixed, setFixed] = useState<URL | null>(null);
  const { release = '' } = document.documentElement.dataset;
  useEffect(() => {
    findFixedRoot(release).then(setFixed, () => undefined);
  }, [release]);
  const { main_topic: domain, topic } = state.dataset.schema;
  const page = new URL(pageFolderOf(`${domain}/${topic}`) + PAGES.embed, fixed ?? root);
  page.search = formatQuery(formatState(state));
  const frame = writeFrame(page.href, titleView(state), '100%', VIEWS[state.view].frame);
  return (
    <div class="explore-embed">
      <CopiedText label={t.embed.paste} text={frame} />
      <p class="hint">{fixed === null ? t.embed.latest : t.embed.fixed(release)}</p>
    </div>
  );
}

/** What opens below the line of saves. */
export const SHARES = { api: ApiRequest, embed: EmbedText };

/** Null if the API would refuse the question. */
export function writeStatement(question: Question): string | null {
  const { schema, table, yearColumn } = question.dataset;
  const pairs = toParameters(question);
  const parsed = parseRequest(table, pairs);
  if (!('request' in parsed)) return null;
  const { detail, years, conditions } = parsed.request;
  const year = quoteName(yearColumn);
  const where = [
    `detail = '${detail}'`,
    ...(years.exact === null ? [] : [`${year} = ${years.exact}`]),
    ...(years.min === null ? [] : [`${year} >= ${years.min}`]),
    ...(years.max === null ? [] : [`${year} <= ${years.max}`]),
    ...conditions.map(renderCondition),
  ];
  const from = `${quoteName(schema.main_topic)}.${quoteName(schema.topic)}`;
  const order = schema.grain.map(quoteName).join(', ');
  return `SELECT *\nFROM ${from}\nWHERE ${where.join('\n  AND ')}${order === '' ? '' : `\nORDER BY ${order}`}`;
}
