/** `civic mcp`: the tools for language models, on standard input and output. */
import { UnableError } from '../failure.ts';
import { publisherFolders, type Shared } from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';
import type { NotAnswered } from './terminal.ts';

/** `speakMcp` resolves when it listens, with a failure if there is no tree. */
export const mcpCommand = (load: () => Promise<{ speakMcp(tree: string): Promise<NotAnswered | null> }>) =>
  defineCommand<Shared>({
    name: 'mcp',
    description: 'let a language model ask a tree: the Model Context Protocol on standard input and output',
    operands: [['[tree]', 'folder of a tree, or address of a server or mirror (default: dist)']],
    options: [],
    help: examples('mcp dist', 'mcp https://data.example.org/'),
    act: async (_, _terminal, { args: [tree = publisherFolders({}).out] }) => {
      const failure = await (await load()).speakMcp(tree);
      if (failure) throw new UnableError(failure.code, failure.message);
    },
  });
