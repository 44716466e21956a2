/** `civic keygen`: makes the key that signs a log of releases. */
import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { UnableError } from '../failure.ts';
import { formatPublicKey, generateKey, isKeyName, publicKeyOf } from '../log/log-key.ts';
import type { Run, Shared } from './arguments.ts';

interface KeygenArguments extends Shared {
  readonly name: string;
  readonly out: string;
}

function keyName(text: string): string {
  if (!isKeyName(text)) throw new InvalidArgumentError('Give a name without spaces and plus signs.');
  return text;
}

export function addKeygenCommand(program: Command, run: Run): void {
  program
    .command('keygen')
    .description('make a key that signs the log of releases, or the checkpoints that a witness sees')
    .requiredOption(
      '--name <name>',
      "the key's name, such as the host of the data: data.example.org",
      keyName,
    )
    .requiredOption('--out <file>', 'new file for the private key; keep it secret')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic keygen --name data.example.org --out signing.key')
    .action((options: KeygenArguments) =>
      run(options, async terminal => {
        const { text, key } = generateKey(options.name);
        try {
          writeFileSync(options.out, `${text}\n`, { flag: 'wx', mode: 0o600 });
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
          throw new UnableError(
            'key-exists',
            `${options.out} exists. A key is never overwritten: name another file.`,
          );
        }
        const [publisher, witness] = (['signer', 'witness'] as const).map(kind =>
          formatPublicKey(publicKeyOf(key, kind)),
        );
        terminal.told(
          [
            `The private key is in ${options.out}. Keep it secret, and keep a copy of it.`,
            `Publish the public key: ${publisher}`,
            `As a witness, its key is: ${witness}`,
          ],
          { file: options.out, key: publisher, witness },
        );
      }),
    );
}
