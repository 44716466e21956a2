/** `civic deploy` in this process. */
import { command } from '../cli/command.ts';
import type { Run } from '../tree/mirror-hosts.ts';

/** `folder`, where given, has programs that stand in for those of the same name. */
export async function deploy(args: readonly string[], folder: string | null = null): Promise<Run> {
  const before = process.env['PATH'];
  if (folder !== null) process.env['PATH'] = `${folder}:${before}`;
  try {
    const { code, stdout, stderr } = await command('deploy', ...args);
    return { code: code ?? 1, output: stdout + stderr };
  } finally {
    process.env['PATH'] = before;
  }
}
