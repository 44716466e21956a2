/** `npm run docs`: writes docs/commands.md from the help of the program. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));
const PROGRAM = path.join(PROJECT, 'lib/bin/civic.js');

export const COMMANDS_PAGE = path.join(PROJECT, 'docs/commands.md');

const OPENING = `# Commands and options

Run \`npx civic-data-service COMMAND\`; where the package is installed, \`npx civic\` is the same. \`npm run docs\` makes this page. With \`--json\`, \`ok\` says whether the command passed, and \`diagnostics\` lists errors and warnings.
`;

/** An option in a help text: its line, and the indented lines that continue it. */
const OPTION = /^ {2}-.*\n(?: {4}.*\n)*/gm;
/** An option that so many commands share is described once. */
const SHARED = 3;

/** Renders the page from the help of every command that `civic --help` lists. */
export function commandsPage(): string {
  const whole = help([]);
  const listed = whole.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(found => found[1] ?? '');
  const commands = names.filter(name => name !== 'help').map(name => ({ name, text: help([name]) }));
  if (commands.length === 0) throw new Error('The help of civic lists no command.');
  const options = commands.flatMap(({ text }) => text.match(OPTION)?.map(oneLine) ?? []);
  const isShared = (option: string) => options.filter(one => one === oneLine(option)).length >= SHARED;
  const shared = [...new Set(options.filter(isShared))].sort();
  return [
    OPENING,
    fenced(whole),
    `## Shared options\n\n${fenced(shared.join('\n'))}`,
    ...commands.map(({ name, text }) => section(name, text, isShared)),
  ].join('\n');
}

/** What the list of commands and the shared options leave to say of a command. */
function section(name: string, text: string, isShared: (option: string) => boolean): string {
  const also: string[] = [];
  const own = text
    .slice(text.search(/^(Arguments|Options):$/m))
    .replace(OPTION, option => {
      if (!isShared(option)) return option;
      const [flag = ''] = /--[a-z-]+/.exec(option) ?? [];
      if (flag !== '--help') also.push(`\`${flag}\``);
      return '';
    })
    .replace('Options:\n\n', '');
  const end = also.length === 0 ? '' : `\nAnd ${also.join(', ')}.\n`;
  return `## civic ${name}\n\n${fenced(own)}${end}`;
}

function oneLine(option: string): string {
  return option.trim().replace(/\s+/g, ' ');
}

function help(command: readonly string[]): string {
  return execFileSync(process.execPath, [PROGRAM, ...command, '--help'], { encoding: 'utf8' });
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(COMMANDS_PAGE, commandsPage());
