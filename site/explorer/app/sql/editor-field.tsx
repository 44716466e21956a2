/** The field for the statement: plain text at first, an editor once it has loaded. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../messages/messages.ts';
import type { SqlEditor, SqlTable } from './editor.ts';

export interface EditorHandle {
  text(): string;
  setText(text: string): void;
}

interface EditorFieldProps {
  /** The initial text. */
  readonly first: string;
  readonly tables: readonly SqlTable[];
  /** Called once, with functions that read and write the text. */
  onReady(handle: EditorHandle): void;
  onRun(): void;
}

export function EditorField({ first, tables, onReady, onRun }: EditorFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditor | null>(null);
  const run = useRef(onRun);
  run.current = onRun;
  const [isLoaded, setLoaded] = useState(false);

  useEffect(() => {
    onReady({
      text: () => editor.current?.text() ?? area.current?.value ?? '',
      setText: text => {
        if (editor.current) editor.current.setText(text);
        else if (area.current) area.current.value = text;
      },
    });
    let isGone = false;
    import('./editor.ts')
      .then(({ createEditor }) => {
        if (isGone || !host.current || !area.current) return;
        const { value, selectionStart, selectionEnd } = area.current;
        const isFocused = document.activeElement === area.current;
        editor.current = createEditor(host.current, {
          label: t.sql.statement,
          text: value,
          tables,
          onRun: () => run.current(),
        });
        setLoaded(true);
        if (isFocused) editor.current.focus(selectionStart, selectionEnd);
      })
      // The plain field still works.
      .catch(() => undefined);
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  return (
    <div class="sql-editor">
      <textarea
        ref={area}
        hidden={isLoaded}
        aria-label={t.sql.statement}
        spellcheck={false}
        rows={7}
        onKeyDown={onKeyDown}
        defaultValue={first}
      />
      <div ref={host} hidden={!isLoaded} />
    </div>
  );
}
