/** `civic keygen`: makes the key that signs a log of releases. */
import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { UnableError } from '../failure.ts';
import { formatPublicKey, generateKey, isKeyName, publicKeyOf } from '../log/log-key.ts';
import type { Run, Shared } from './arguments.ts';

interface KeygenArguments extends Shared {
  readonly name: string;
  readonly out: string;
  readonly witness: boolean;
}

function keyName(text: string): string {
  if (!isKeyName(text)) throw new InvalidArgumentError('Give a name without spaces and plus signs.');
  return text;
}

export function addKeygenCommand(program: Command, run: Run): void {
  program
    .command('keygen')
    .description('make a key that signs the log of releases, or checkpoints as a witness')
    .requiredOption(
      '--name <name>',
      "the key's name, such as the host of the data: data.example.org",
      keyName,
    )
    .requiredOption(
      '--out <file>',
      'new file for the private key; the public one is written next to it, as <file>.pub',
    )
    .option('--witness', 'write the public key of a witness, which signs checkpoints', false)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic keygen --name data.example.org --out signing.key\n  $ civic keygen --witness --name witness.example.net --out witness.key',
    )
    .action((options: KeygenArguments) =>
      run(options, async terminal => {
        const { text, key } = generateKey(options.name);
        const publicKey = formatPublicKey(publicKeyOf(key, options.witness ? 'witness' : 'signer'));
        const publicFile = `${options.out}.pub`;
        writeNew(options.out, text, 0o600);
        writeNew(publicFile, publicKey, 0o644);
        terminal.told(
          [
            `${options.out} is the private key. Keep it secret, and keep a copy of it.`,
            `${publicFile} is the public key. Publish it: ${publicKey}`,
          ],
          { private_key: options.out, public_key: publicFile, key: publicKey },
        );
      }),
    );
}

function writeNew(file: string, text: string, mode: number): void {
  try {
    writeFileSync(file, `${text}\n`, { flag: 'wx', mode });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UnableError('key-exists', `${file} exists, and no key is overwritten. Name another file.`);
  }
}
