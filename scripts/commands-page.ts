/** `npm run docs`: writes docs/commands.md from the help of the program. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));
const PROGRAM = path.join(PROJECT, 'lib/bin/civic.js');

export const COMMANDS_PAGE = path.join(PROJECT, 'docs/commands.md');

const OPENING = `# Commands and options

\`npm run docs\` makes this page from the help of the program. Run the program as \`npx civic-data-service\`; in a folder where the package is installed, \`npx civic\` is the same. Without it, \`civic\` is another package. On a terminal it shows a progress bar, elsewhere plain lines. With \`--json\` it prints one JSON object: \`ok\` says whether the command passed, and \`diagnostics\` lists errors and warnings, each with its severity.
`;

/** Renders the page from the help of every command that `civic --help` lists. */
export function commandsPage(): string {
  const whole = help([]);
  const listed = whole.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(found => found[1] ?? '');
  const commands = names.filter(name => name !== 'help');
  if (commands.length === 0) throw new Error('The help of civic lists no command.');
  const sections = commands.map(name => `## civic ${name}\n\n${fenced(help([name]))}`);
  return [OPENING, fenced(whole), ...sections].join('\n');
}

function help(command: readonly string[]): string {
  return execFileSync(process.execPath, [PROGRAM, ...command, '--help'], { encoding: 'utf8' });
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(COMMANDS_PAGE, commandsPage());
