/** `civic keygen` makes keys; `civic cosign` signs a tree's checkpoint as a witness. */
import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { UnableError } from '../failure.ts';
import { isKeyName } from '../format/signed-log.ts';
import { formatPublicKey, generateKey, publicKeyOf } from '../log/signed-note.ts';
import {
  checkedText,
  JSON_RESULT,
  readPublicKey,
  readSigningKey,
  type Shared,
  SIGNING_KEY,
} from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';

interface KeygenArguments extends Shared {
  readonly name: string;
  readonly out: string;
  readonly witness: boolean;
}

export const KEYGEN = defineCommand<KeygenArguments>({
  name: 'keygen',
  description: 'make a key that signs the log of releases, or checkpoints as a witness',
  options: [
    new Option('--name <name>', "the key's name, such as the host of the data: data.example.org")
      .argParser(checkedText(isKeyName, 'Give a name without spaces and plus signs.'))
      .makeOptionMandatory(),
    new Option(
      '--out <file>',
      'new file for the private key; the public one is written next to it, as <file>.pub',
    ).makeOptionMandatory(),
    new Option('--witness', 'write the public key of a witness, which signs checkpoints').default(false),
    JSON_RESULT,
  ],
  help: examples(
    'keygen --name data.example.org --out signing.key',
    'keygen --witness --name witness.example.net --out witness.key',
  ),
  act: async (options, terminal) => {
    const { text, key } = generateKey(options.name);
    const publicKey = formatPublicKey(publicKeyOf(key, options.witness ? 'witness' : 'signer'));
    const publicFile = `${options.out}.pub`;
    writeNew(options.out, text, 0o600);
    writeNew(publicFile, publicKey, 0o644);
    const lines = [
      `${options.out} is the private key. Keep it secret, and keep a copy of it.`,
      `${publicFile} is the public key. Publish it: ${publicKey}`,
    ];
    terminal.say(lines, { private_key: options.out, public_key: publicFile, key: publicKey });
  },
});

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

export const COSIGN = defineCommand<CosignArguments>({
  name: 'cosign',
  description: "sign a tree's checkpoint as a witness, unless the log rewrote what the witness signed",
  operands: [['<tree>', 'the tree: its folder or its address']],
  options: [
    new Option('--key <key>', "the publisher's public key, or its file").makeOptionMandatory(),
    new Option(
      '--out <file>',
      'file of the cosigned checkpoint, which the witness keeps and publishes',
    ).makeOptionMandatory(),
    new Option(
      '--signing-key <file>',
      `file of the witness's private key (default: the variable ${SIGNING_KEY})`,
    ),
    JSON_RESULT,
  ],
  help: examples(
    'cosign https://data.example.org/ --key publisher.key.pub --signing-key witness.key --out checkpoint',
  ),
  act: async (options, terminal, { args: [tree = ''] }) => {
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
    const lines = [
      `${options.out} is the checkpoint of ${origin}, with ${size} releases, signed by ${signer.name}.`,
      `The witness's public key is ${witness}`,
    ];
    terminal.say(lines, { origin, entries: size, out: options.out, key: witness });
  },
});
