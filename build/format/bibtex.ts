/** Citations in BibTeX. */

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** `name`: the parts of the entry's name. Braces keep the author and the title as they are written. */
export function renderBibtex(name: readonly string[], fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([field, value]) => {
    const escaped = value.replace(/[\\{}$&#%_~^]/g, sign => SPECIAL[sign] ?? `\\${sign}`);
    const text = field === 'url' ? value : escaped;
    return `  ${field} = {${/^(author|title)$/.test(field) ? `{${text}}` : text}}`;
  });
  return `@misc{${name.join('_').replace(/\W/g, '_')},\n${lines.join(',\n')}\n}`;
}
