/** `civic keygen` makes keys; `civic cosign` signs a tree's checkpoint as a witness. */
import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { UnableError } from '../failure.ts';
import { isKeyName } from '../format/signed-log.ts';
import { formatPublicKey, generateKey, publicKeyOf } from '../log/signed-note.ts';
import { type Run, readPublicKey, readSigningKey, type Shared, SIGNING_KEY } from './arguments.ts';

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
        terminal.say(
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
    throw new UnableError('key-exists', `${file} exists, and keys are never overwritten. Name another file.`);
  }
}

interface CosignArguments extends Shared {
  readonly key: string;
  readonly signingKey?: string;
  readonly out: string;
}

export function addCosignCommand(program: Command, run: Run): void {
  program
    .command('cosign')
    .description(
      "sign a tree's checkpoint as a witness, unless the log rewrote what the witness signed",
    )
    .argument('<tree>', 'the tree: its folder or its address')
    .requiredOption('--key <key>', "the publisher's public key, or its file")
    .requiredOption('--out <file>', 'file of the cosigned checkpoint, which the witness keeps and publishes')
    .option(
      '--signing-key <file>',
      `file of the witness's private key (default: the variable ${SIGNING_KEY})`,
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic cosign https://data.example.org/ --key publisher.key.pub --signing-key witness.key --out checkpoint',
    )
    .action((tree: string, options: CosignArguments) =>
      run(options, async terminal => {
        const signer = readSigningKey(options.signingKey);
        if (signer === null)
          throw new UnableError(
            'key-missing',
            `There is no private key. Set ${SIGNING_KEY}, or name a file with --signing-key.`,
          );
        const { cosign } = await import('../tree/tree-log.ts');
        const key = readPublicKey(options.key, 'signer');
        const { origin, size } = await cosign(tree, { key, signer, out: options.out });
        const witness = formatPublicKey(publicKeyOf(signer, 'witness'));
        terminal.say(
          [
            `${options.out} is the checkpoint of ${origin}, with ${size} releases, signed by ${signer.name}.`,
            `The witness's public key is ${witness}`,
          ],
          { origin, entries: size, out: options.out, key: witness },
        );
      }),
    );
}
