/** Runs the command `aws`, which uses the credentials, regions, roles and proxies that its user has configured. */
import { spawn } from 'node:child_process';
import { LakeError } from './lake.ts';

const HINT =
  'Check the name, and that the command aws has credentials (aws sts get-caller-identity). For a server other than Amazon, set AWS_ENDPOINT_URL.';

/** The server if it is not Amazon's; else ''. */
export function awsEndpoint(): string {
  return process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL || '';
}

/** Returns the output. Throws LakeError with `location` in its message if the command fails or is not installed. */
export function runAws(location: string, args: readonly string[]): Promise<string> {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  // Versions before 2.13 ignore the variable.
  const named = endpoint === undefined || endpoint === '' ? [] : [`--endpoint-url=${endpoint}`];
  return new Promise((resolve, reject) => {
    const child = spawn('aws', [...named, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, AWS_PAGER: '' },
    });
    const printed: string[] = [];
    const complaints: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
    child.on('error', error => {
      const missing = 'code' in error && error.code === 'ENOENT';
      reject(
        missing
          ? new LakeError(
              'aws-missing',
              `The program reads ${location} with the command aws, which is not installed. Install the AWS CLI, or copy the lake to a folder and name that folder.`,
            )
          : error,
      );
    });
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(printed.join(''));
      // The program reports every full disk in one place.
      if (/No space left|Errno 28/.test(complaints.join(''))) return reject(new Error('No space left'));
      const why =
        lastLine(complaints.join('')) ??
        (signal === null ? `aws exited with code ${code}` : `aws was stopped by ${signal}`);
      reject(new LakeError('lake-unreadable', `${location} cannot be read (${why}). ${HINT}`));
    });
  });
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .at(-1);
}
