/** The page of a figure: its value, what is known about it, every value that it had, and how to cite it. */
import { render } from 'preact';
import type { FigureDocument, ValidationErrorDocument } from '../../../build/format/documents.ts';
import { API_ROOT, PAGES, pageFolderOf } from '../../../build/format/paths.ts';
import { createBrowserHandler } from '../../edge/fetch.ts';
import { t } from '../messages/messages.ts';
import { Code, DataTable, Facts } from '../pages/text.tsx';
import { formatFigure, spellUnit } from '../view/format.ts';
import { root } from '../view/tree-root.ts';
import { addCopyButton } from './copy-button.ts';
import { explain } from './explanation.tsx';

export async function startFigure(place: HTMLElement): Promise<void> {
  addEventListener('hashchange', () => location.reload());
  const content = await readFigure().catch(error => <p class="notice warn">{explain(error)}</p>);
  place.replaceChildren();
  render(content, place);
  for (const block of place.querySelectorAll<HTMLElement>('.code.with-copy')) addCopyButton(block);
}

/** The page is its own edge, so it needs none on the host. */
async function readFigure() {
  const asked = new Request(new URL(`${API_ROOT}/${location.hash.slice(1)}`, root));
  const answer = await createBrowserHandler(root.href, reportError)(asked);
  const found = (await answer.json()) as FigureDocument & Partial<ValidationErrorDocument>;
  const { detail } = found;
  if (!answer.ok) throw new Error(Array.isArray(detail) ? detail.map(({ msg }) => msg).join('. ') : detail);
  // A host of files doesn't answer the API's own address.
  const page = new URL(`${PAGES.figure}/#${found.address.split(`/${API_ROOT}/`)[1]}`, root).href;
  history.replaceState(null, '', page);
  return <Figure figure={found} page={page} />;
}

function Figure({ figure, page }: { readonly figure: FigureDocument; readonly page: string }) {
  const { label, unit, key, address, citation, changed, rules, proof } = figure;
  const show = (row: Pick<FigureDocument, 'value' | 'margin'> | null) => {
    if (row === null) return t.words.noRow;
    const { value, margin } = row;
    if (typeof value === 'string' || typeof value === 'boolean') return String(value);
    const words = [formatFigure({ value, margin }, unit), value !== null && spellUnit(unit)];
    return words.filter(Boolean).join(' ');
  };
  return (
    <>
      <h1>{`${label}: ${show(figure)}`}</h1>
      <p class="lead">{key.map(part => part.name ?? part.value).join(' · ')}</p>
      {changed && <p class="notice warn">{t.figure.changed(show(changed.row))}</p>}
      <Facts
        facts={[
          [t.nouns.dataset, <a href={root + pageFolderOf(figure.dataset)}>{figure.title}</a>],
          ...key.map(part => [part.label, part.name ? `${part.name} (${part.value})` : part.value] as const),
          ['NULL', figure.null_meaning ?? t.words.nullFigure],
          [t.nouns.release, figure.release],
          figure.license ? [t.nouns.licence, figure.license] : null,
          ['JSON', <a href={`${address}&format=json`}>{address}</a>],
          ['Parquet', <a href={proof.file.path}>{proof.file.path}</a>],
          ['SHA-256', proof.file.sha256],
          proof.row_group.sha256 === null
            ? null
            : [t.figure.rowGroup(proof.row_group.index), proof.row_group.sha256],
          proof.log ? [t.figure.log, <a href={proof.log.checkpoint}>{proof.log.leaf}</a>] : null,
        ]}
      />
      <h2>{t.figure.history}</h2>
      <DataTable
        label={t.figure.history}
        titles={[t.nouns.release, t.nouns.figure, t.figure.why]}
        numbers={[1]}
        texts={[2]}
        rows={figure.history.map(one => [
          `${one.from} – ${one.until ?? ''}`,
          show(one.row),
          one.why.join(' '),
        ])}
      />
      {rules !== null && rules.length > 0 && (
        <>
          <h2>{t.figure.rules}</h2>
          <DataTable
            label={t.figure.rules}
            titles={[t.rules.rule, t.rules.result]}
            texts={[0]}
            rows={rules.map(rule => [rule.description || rule.name, t.rules[rule.result]])}
          />
        </>
      )}
      <h2>{t.figure.cite}</h2>
      {[citation.text, citation.bibtex].map(text => (
        <Code key={text} label={t.figure.cite} code={text.replaceAll(address, page)} address={null} kind="" />
      ))}
    </>
  );
}
