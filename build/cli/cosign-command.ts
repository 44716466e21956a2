/** `civic cosign`: a witness signs the checkpoint of a tree that goes on from the one it signed before. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { UnableError } from '../failure.ts';
import { formatPublicKey, publicKeyOf } from '../log/log-key.ts';
import type { Run, Shared } from './arguments.ts';
import { readPublicKey, readSigningKey, SIGNING_KEY } from './log-keys.ts';

interface CosignArguments extends Shared {
  readonly key: string;
  readonly signingKey?: string;
  readonly out: string;
}

export function addCosignCommand(program: Command, run: Run): void {
  program
    .command('cosign')
    .description(
      "sign a tree's checkpoint as a witness; refuses a log that rewrote what the witness signed before",
    )
    .argument('<tree>', 'the tree: its folder or its address')
    .requiredOption('--key <key>', "the publisher's public key, or a file that holds it")
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
        const { cosign } = await import('../tree/cosign.ts');
        const temporary = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
        try {
          const key = readPublicKey(options.key, 'signer');
          const { origin, size } = await cosign(tree, { key, signer, out: options.out, temporary });
          const witness = formatPublicKey(publicKeyOf(signer, 'witness'));
          terminal.told(
            [
              `${options.out} is the checkpoint of ${origin}, with ${size} releases, signed by ${signer.name}.`,
              `The witness's public key is ${witness}`,
            ],
            { origin, entries: size, out: options.out, key: witness },
          );
        } finally {
          await rm(temporary, { recursive: true, force: true });
        }
      }),
    );
}
