/** Commands that documents show, as they stand there. */

/** Code blocks in a shell's language, and words of prose that begin with a command of ours. */
const SHOWN =
  /^([ \t]*)```(?:sh|bash|shell)\n(.*?)^[ \t]*```$|`((?:npm (?:run|start|ci|test)|npx civic-data-service)\b[^`\n]*)`/gms;

/** A name that stands for the reader's own: FILE, DIR, `…`. */
const PLACEHOLDER = /(?<![\w-])[A-Z]{3,}(?![\w-])|…|^npx civic-data-service$/;

/** Every command of a document, once, in its order. */
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

/** Of a line what is run, one after the other. */
function splitLine(line: string): string[] {
  return line
    .replace(/(^|\s)#\s.*$/, '')
    .split(' && ')
    .map(command => command.trim())
    .filter(command => command !== '');
}
