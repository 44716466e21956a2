/** Commands that documents show. */

/** Code blocks of a shell language, and inline commands of ours. */
const SHOWN =
  /^([ \t]*)```(?:sh|bash|shell)\n(.*?)^[ \t]*```$|`((?:npm (?:run|start|ci|test)|npx civic-data-service)\b[^`\n]*)`/gms;

/** A placeholder: FILE, DIR, `…`. */
const PLACEHOLDER = /(?<![\w-])[A-Z]{3,}(?![\w-])|…|^npx civic-data-service$/;

/** Every command of a document once, in order. */
export function documentedCommands(text: string): string[] {
  const commands = [...text.matchAll(SHOWN)].flatMap(([, , block, inline]) =>
    block === undefined ? inlineCommands(inline ?? '') : blockCommands(block),
  );
  return [...new Set(commands)];
}

function inlineCommands(text: string): string[] {
  return PLACEHOLDER.test(text) ? [] : splitLine(text);
}

function blockCommands(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap(splitLine);
}

/** The commands of a line, in order. */
function splitLine(line: string): string[] {
  return line
    .replace(/(^|\s)#\s.*$/, '')
    .split(' && ')
    .map(command => command.trim())
    .filter(command => command !== '');
}
