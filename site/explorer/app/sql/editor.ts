/**
 * The editor: CodeMirror with the names of tables and columns. The page's policy refuses style elements, so the editor
 * lives in a shadow root, which takes style sheets from a script.
 */
import { autocompletion } from '@codemirror/autocomplete';
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql';
import { EditorState, Prec } from '@codemirror/state';
import { Decoration, EditorView, keymap, MatchDecorator, placeholder, ViewPlugin } from '@codemirror/view';
import { minimalSetup } from 'codemirror';

export interface SqlTable {
  /** The name as SQL takes it, quoted if necessary. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly about: string }[];
}

interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly tables: readonly SqlTable[];
  onRun(): void;
}

export interface SqlEditor {
  text(): string;
  setText(text: string): void;
  close(): void;
}

export function createEditor(host: HTMLElement, { label, text, tables, onRun }: EditorOptions): SqlEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const run = () => {
    onRun();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        minimalSetup,
        sql({ dialect: PostgreSQL, schema: describeTables(tables), upperCaseKeywords: true }),
        autocompletion({ icons: false }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        placeholder('SELECT …'),
        colours,
        plainTyping,
        LOOKS,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: wanted => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wanted } }),
    close: () => view.destroy(),
  };
}

function describeTables(tables: readonly SqlTable[]): SQLNamespace {
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      // CodeMirror would read the part before a dot as a schema.
      name.replace(/^"(.*)"$/, '$1').replaceAll('.', '\\.'),
      columns.map(column => ({ label: column.name, type: 'property', detail: column.about.slice(0, 60) })),
    ]),
  );
}

const WORDS =
  'all|and|anti|as|asc|between|by|case|cast|cross|desc|distinct|else|end|except|exclude|exists|false|filter|first|from|full|group|having|ilike|in|inner|intersect|is|join|last|left|like|limit|natural|not|null|nulls|offset|on|or|order|outer|over|partition|pivot|qualify|right|select|semi|summarize|then|true|union|unpivot|using|values|when|where|window|with';

/** Texts and comments come first, so that their words are not taken for SQL. */
const PARTS = new RegExp(
  `(?<text>'(?:[^']|'')*'?)|(?<name>"(?:[^"]|"")*"?)|(?<comment>--.*)|\\b(?<word>${WORDS})\\b|\\b(?<number>\\d[\\d.]*)\\b`,
  'gi',
);

/** The page's light and dark colours replace the editor's, which only suit light pages. */
const decorator = new MatchDecorator({
  regexp: PARTS,
  decoration: ({ groups = {} }) => {
    const kind = Object.keys(groups).find(name => groups[name] !== undefined);
    return Decoration.mark({ class: `sql-${kind}` });
  },
});

const colours = ViewPlugin.define(
  view => ({
    decorations: decorator.createDeco(view),
    update(change) {
      this.decorations = decorator.updateDeco(change, this.decorations);
    },
  }),
  { decorations: plugin => plugin.decorations },
);

/** A browser styles what the reader types over a selection inline, which the page's policy refuses. */
const plainTyping = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event as InputEvent;
    if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty)
      return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const LOOKS = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', borderRadius: 'var(--radius)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.9rem', lineHeight: '1.5', minHeight: '8rem' },
  '.cm-content': { padding: '0.6rem 0.3rem', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-line span': { color: 'inherit !important' },
  '.cm-line .sql-word, .cm-line .sql-word span': { color: 'var(--accent) !important', fontWeight: '600' },
  '.cm-line .sql-text, .cm-line .sql-text span': { color: 'var(--good) !important' },
  '.cm-line .sql-number, .cm-line .sql-number span': { color: 'var(--warn) !important' },
  '.cm-line .sql-comment, .cm-line .sql-comment span': { color: 'var(--soft) !important' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--band)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    maxWidth: '90vw',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: '90vw' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.6rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'var(--sans)' },
});
