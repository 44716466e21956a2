/** Contract text in pages: always text, and a link only where it is an address of the web or of a mailbox. */

/** Where a text may lead; null where it is no address that a reader can be sent to. */
export function hrefOf(text: string | null): string | null {
  if (text === null) return null;
  const address = text.trim();
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(address)) return `mailto:${address}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A link where `to` is an address; else the text alone. */
export function Link({ to, text }: { readonly to: string | null; readonly text: string }) {
  const href = hrefOf(to);
  return href === null ? (
    <span class="long">{text}</span>
  ) : (
    <a class="long" href={href}>
      {text}
    </a>
  );
}

/** Where a page stands, from the front page on; `root` leads to it, `section` is a part of it. */
export function Breadcrumb(props: {
  readonly root: string;
  readonly section: string;
  readonly label: string;
}) {
  const { root, section, label } = props;
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href={`${root}index.html`}>Data</a>
        </li>
        <li>
          <a href={`${root}index.html#${section}`}>{label}</a>
        </li>
      </ol>
    </nav>
  );
}

/** Paragraphs of a text, apart where it has empty lines; what stands in backticks is code. */
export function Paragraphs({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/\n\s*\n/)
        .filter(part => part.trim() !== '')
        .map(part => (
          <p key={part}>
            <Line text={part} />
          </p>
        ))}
    </>
  );
}

/** A text in a line: what stands in backticks is code. */
export function Line({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((piece, i) => (i % 2 === 1 ? <code>{piece}</code> : piece))}</>;
}

/** A wide table that scrolls by itself; `label` names it for those who reach it by keyboard. */
export function TableScroll(props: { readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="table-scroll" aria-label={props.label} tabindex={0}>
      {props.children}
    </section>
  );
}

/** Stands in code for where the tree is, until a script puts the page's own address in its place. */
export const UNKNOWN_ADDRESS = 'https://example.org/';

export interface CodeProps {
  readonly label: string;
  /** `ADDRESS` stands for the tree's address, ending in a slash. */
  readonly code: string;
  /** Where the tree is; null where that is not known. */
  readonly address: string | null;
  readonly kind: string;
}

/** Of private use, so that no notation of text escapes it. */
export const ADDRESS = '\ue000';

/** A block of code with a button that copies it. */
export function Code({ label, code, address, kind }: CodeProps) {
  const parts = code.split(ADDRESS);
  return (
    <div class="code with-copy" data-kind={kind} data-label={label}>
      <pre tabindex={0}>
        <code>
          {parts.map((part, i) => (
            <>
              {i > 0 && (address ?? <span class="tree-address">{UNKNOWN_ADDRESS}</span>)}
              {part}
            </>
          ))}
        </code>
      </pre>
    </div>
  );
}
