/** Runs the command `aws`, which knows credentials, regions, roles and proxies as its users have set them up. */
import { spawn } from 'node:child_process';
import { LakeError } from './lake.ts';

const HINT =
  'Check the name, and that the command aws has credentials (aws sts get-caller-identity); another server than Amazon is named by AWS_ENDPOINT_URL.';

/** The server, where it is not Amazon's; else ''. */
export function awsEndpoint(): string {
  return process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL || '';
}

/** What it prints. Throws LakeError, `location` in its message, where it fails or is not installed. */
export function runAws(location: string, args: readonly string[]): Promise<string> {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  // Versions before 2.13 know the option alone.
  const named = endpoint === undefined || endpoint === '' ? [] : [`--endpoint-url=${endpoint}`];
  return new Promise((resolve, reject) => {
    const child = spawn('aws', [...named, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, AWS_PAGER: '' },
    });
    const printed: string[] = [];
    const complaints: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (part: string) => printed.push(part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => complaints.push(part));
    child.on('error', error => {
      const missing = 'code' in error && error.code === 'ENOENT';
      reject(
        missing
          ? new LakeError(
              'aws-missing',
              `${location} is read by the command aws, which is not installed. Install the AWS CLI, or copy the lake to a folder and name that.`,
            )
          : error,
      );
    });
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(printed.join(''));
      // Said by whoever says it of every full disk.
      if (/No space left|Errno 28/.test(complaints.join(''))) return reject(new Error('No space left'));
      const why =
        lastLine(complaints.join('')) ??
        (signal === null ? `aws ended with ${code}` : `aws was ended by ${signal}`);
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
