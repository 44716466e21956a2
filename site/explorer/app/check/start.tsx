/** The page that checks figures: the reader chooses a dataset, and reads what was found. */
import { render } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../../messages/messages.ts';
import { explain } from '../explanation.tsx';
import { checkTree, type Finding } from './tree-check.ts';

export function startCheck(page: HTMLElement, root: URL): void {
  const place = page.querySelector<HTMLElement>('#check-form');
  const datasets = [...page.querySelectorAll<HTMLElement>('#check-datasets [data-key]')].map(item => ({
    key: item.dataset['key'] ?? '',
    title: item.textContent ?? '',
  }));
  if (place) render(<Checker root={root} datasets={datasets} />, place);
}

interface CheckerProps {
  readonly root: URL;
  readonly datasets: readonly { readonly key: string; readonly title: string }[];
}

function Checker({ root, datasets }: CheckerProps) {
  const asked = new URLSearchParams(location.hash.slice(1));
  const [dataset, setDataset] = useState(asked.get('dataset') ?? datasets[0]?.key ?? '');
  const [key, setKey] = useState(asked.get('key') ?? '');
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [status, setStatus] = useState('');
  const running = useRef<AbortController | null>(null);
  const check = async (event: Event) => {
    event.preventDefault();
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const onProgress = (text: string) => {
      if (!signal.aborted) setStatus(text);
    };
    const found: Finding[] = [];
    setFindings([]);
    onProgress(t.check.readingManifest);
    try {
      for await (const one of checkTree({ root, dataset, key, signal, onProgress })) {
        if (signal.aborted) return;
        found.push(one);
        setFindings([...found]);
      }
      onProgress(summarize(found));
    } catch (error) {
      if (running.current === controller)
        setStatus(signal.aborted ? t.check.cancelled : t.check.incomplete(explain(error)));
    } finally {
      if (running.current === controller) running.current = null;
    }
  };
  return (
    <>
      <form class="fields" onSubmit={check}>
        <div class="field">
          <label for="check-dataset">{t.check.dataset}</label>
          <select
            id="check-dataset"
            value={dataset}
            onChange={event => setDataset(event.currentTarget.value)}
          >
            {datasets.map(one => (
              <option key={one.key} value={one.key}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="check-key">{t.check.key}</label>
          <input
            id="check-key"
            class="hash"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={event => setKey(event.currentTarget.value)}
          />
        </div>
        <div class="toolbar">
          <button class="button" type="submit">
            {t.check.check}
          </button>
          <button type="button" class="button quiet" onClick={() => running.current?.abort()}>
            {t.progress.cancel}
          </button>
        </div>
      </form>
      <p id="check-status" role="status">
        {status}
      </p>
      <ol id="check-findings" class="rows">
        {findings.map(({ verdict, text }) => (
          <li key={text} class={verdict === 'wrong' ? 'notice warn long' : 'long'} data-verdict={verdict}>
            <strong>{t.check[verdict]}:</strong> {text}
          </li>
        ))}
      </ol>
    </>
  );
}

function summarize(findings: readonly Finding[]): string {
  const of = (verdict: Finding['verdict']) => findings.filter(one => one.verdict === verdict).length;
  if (of('wrong') > 0) return t.check.isWrong;
  return of('unknown') > 0 ? t.check.isPartly : t.check.isSound;
}
