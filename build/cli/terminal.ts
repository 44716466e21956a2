/** Prints for a person, or for a program (--json). */

import type { SnapshotResult } from '../archive/snapshot.ts';
import type { HostSummary } from '../cache/build-note.ts';
import type { DatasetDisclosure } from '../check/disclosure.ts';
import { disclosureLines } from '../check/disclosure.ts';
import { formatCauses, inert } from '../contract/diagnostic.ts';
import type { DraftResult } from '../draft/draft.ts';
import type { RefusedError, UnableError } from '../failure.ts';
import { countOf } from '../format/shown-text.ts';
import type { Deployed } from '../hosts/deployment.ts';
import { describeLeftOut } from '../hosts/format-choice.ts';
import type { CheckResult } from '../pipeline/check-lake.ts';
import type { BuildResult } from '../pipeline/publication.ts';
import type { ShardResult } from '../pipeline/shard.ts';
import type { ValidateResult } from '../pipeline/validation.ts';
import type { BuildEvent, Reporter } from '../report.ts';
import type { LogComparison } from '../tree/log-comparison.ts';
import { differenceLines, type TreeDifference } from '../tree/tree-difference.ts';
import type { VerifyResult } from '../tree/verify-tree.ts';
import { draftLines } from './draft-lines.ts';
import { jsonReport, type ReportedDiagnostic, ruleDiagnostic } from './json-report.ts';
import { isProblem, outcomeText, refusalCounts, refusalLines } from './refusal-lines.ts';

const BAR = 24;

export interface Served {
  readonly folder: string;
  readonly url: string;
  /** URLs worth opening. */
  readonly examples: readonly { readonly url: string; readonly what: string }[];
}

/** Why a query has no answer. */
export interface NotAnswered {
  readonly code: string;
  readonly message: string;
  readonly problems: readonly string[];
  readonly corrected: string | null;
}

export class Terminal {
  readonly #json: boolean;
  readonly #animated: boolean;
  /** Warnings so far, for --json. */
  readonly #warnings: ReportedDiagnostic[] = [];
  /** Notes so far, for --json. */
  readonly #notes: string[] = [];
  /** The findings of `check --disclosure`, for --json. */
  #disclosure: readonly DatasetDisclosure[] | undefined;
  /** Stages that have begun; two may run at once. */
  readonly #begun = new Set<string>();
  #drawn = false;

  constructor(json: boolean) {
    this.#json = json;
    this.#animated = process.stderr.isTTY === true && !json;
  }

  readonly report: Reporter = event => {
    if (this.#json) {
      if (event.kind === 'warnings') this.#warnings.push(...event.diagnostics);
      if (event.kind === 'notices') this.#warnings.push(...event.outcomes.map(ruleDiagnostic));
      if (event.kind === 'note') this.#notes.push(event.text);
      if (event.kind === 'disclosure') this.#disclosure = event.datasets;
      return;
    }
    switch (event.kind) {
      case 'note':
        return this.#line(event.text);
      case 'warnings':
        // Notes are for people who check a contract: `civic validate` shows them.
        for (const line of formatCauses(event.diagnostics.filter(isProblem))) this.#line(line);
        return;
      case 'notices':
        for (const notice of event.outcomes) this.#line(outcomeText(notice));
        return;
      case 'disclosure':
        for (const line of disclosureLines(event.datasets)) this.#line(line);
        return;
      case 'progress':
        return this.#progress(event);
      default:
        return event satisfies never;
    }
  };

  validated(result: ValidateResult): void {
    if (this.#json) return this.#object(true, result.diagnostics, result);
    for (const line of formatCauses(result.diagnostics)) this.#line(line);
    const inactive = result.inactive > 0 ? `, ${countOf(result.inactive, 'contract')} not active` : '';
    this.#answer(
      `${countOf(result.files, 'file')}: ${countOf(result.datasets, 'dataset')}, ${countOf(result.dimensions, 'dimension')}, ${countOf(result.rules, 'rule')}${inactive}. No errors.`,
    );
  }

  deployed(result: Deployed): void {
    if (this.#json) return this.#object(true, this.#warnings, { ...result, notes: this.#notes });
    const { release, before, uploaded, removed } = result;
    if (uploaded)
      this.#answer(`${uploaded.sent} files sent (${uploaded.bytes} bytes), ${uploaded.kept} unchanged.`);
    if (removed.length > 0) this.#answer(`Removed ${removed.join(', ')}.`);
    const was = before === null || before === release ? '' : ` It replaces ${before}.`;
    this.#answer(`Release ${release} is online.${was}`);
  }

  /** The releases on a host; `current` is the one that is online. */
  releases(names: readonly string[], current: string | null): void {
    if (this.#json) return this.#object(true, [], { releases: names, current });
    for (const name of names) this.#answer(name === current ? `${name}  online` : name);
  }

  drafted(result: DraftResult): void {
    if (this.#json) return this.#object(true, [], result);
    for (const line of draftLines(result)) this.#answer(line);
  }

  checked(result: CheckResult): void {
    if (this.#json) return this.#object(true, this.#warnings, { ...result, disclosure: this.#disclosure });
    const { rules } = result;
    this.#answer(
      `${countOf(result.datasets, 'dataset')}, ${countOf(result.rows, 'row')}: ${countOf(rules.run, 'rule')} run, ${rules.warned} warned, ${rules.skipped} skipped. No errors.`,
    );
  }

  built(result: BuildResult): void {
    if (this.#json) return this.#object(true, this.#warnings, { ...result, notes: this.#notes });
    if (!result.changed)
      return this.#answer(`Nothing changed: ${result.out} is release ${result.release} already.`);
    const seconds = Object.entries(result.seconds).map(([stage, time]) => `${stage} ${time.toFixed(1)} s`);
    this.#answer(
      `Release ${result.release} is at ${result.out}: ${countOf(result.datasets, 'dataset')}, ${countOf(result.rows, 'row')}, ${countOf(result.files, 'file')}, ${result.written} of them new or changed (${seconds.join(', ')}).`,
    );
    if (result.host !== undefined) this.#answer(hostText(result.host));
  }

  shardBuilt(result: ShardResult): void {
    if (this.#json) return this.#object(true, this.#warnings, result);
    const seconds = Object.entries(result.seconds).map(([stage, time]) => `${stage} ${time.toFixed(1)} s`);
    this.#answer(
      `Shard ${result.number} of ${result.of} is in the cache ${result.cache}: ${result.made} made, ${result.found} found (${seconds.join(', ')}). Once all ${result.of} are, civic build with this cache publishes them.`,
    );
  }

  verified(result: VerifyResult): void {
    if (this.#json) return this.#object(true, this.#warnings, result);
    this.#answer(
      `${countOf(result.files, 'file')} and ${countOf(result.slices, 'slice')} verified: every hash is right, all formats have the same rows, no file is missing or extra.`,
    );
    this.#answer(logText(result));
    if (result.against !== null) this.#answer(againstText(result.against));
  }

  /** Prints lines for a person, or the object for a program. */
  told(lines: readonly string[], result: object): void {
    if (this.#json) return this.#object(true, this.#warnings, result);
    for (const line of lines) this.#answer(line);
  }

  packed(result: SnapshotResult): void {
    if (this.#json) return this.#object(true, this.#warnings, result);
    const { out, release, files, bytes, sha256 } = result;
    this.#answer(`${out} holds release ${release}: ${countOf(files, 'file')}, ${countOf(bytes, 'byte')}.`);
    this.#answer(`${sha256}  ${out}`);
  }

  compared(difference: TreeDifference): void {
    if (this.#json) return this.#object(true, this.#warnings, difference);
    const { old, new: now, unchanged } = difference;
    this.#answer(`From release ${old.release} to ${now.release}; ${unchanged} unchanged.`);
    for (const line of differenceLines(difference, Number.POSITIVE_INFINITY)) this.#answer(line);
  }

  serving(served: Served): void {
    if (this.#json) return this.#object(true, this.#warnings, served);
    this.#answer(`Serving ${served.folder} at ${served.url}`);
    for (const { url, what } of served.examples) this.#answer(`  ${url}  ${what}`);
    this.#answer('Stop with Ctrl-C.');
  }

  /** Prints a plan as text, or as an object. */
  explained(text: string, explanation: object): void {
    if (this.#json) return this.#object(true, this.#warnings, explanation);
    this.#answer(text);
  }

  notAnswered(failure: NotAnswered): void {
    const { code, message, problems, corrected } = failure;
    if (this.#json) return this.#failed({ code, message }, { problems, corrected });
    this.#line(`${code} ${message}`);
    for (const problem of problems) this.#line(`  ${problem}`);
    if (corrected !== null) this.#line(`Try: ${corrected}`);
  }

  /** `consequence` is a sentence, such as "Nothing was published." */
  refused(error: RefusedError, consequence = ''): void {
    if (this.#json) {
      const found = [...error.diagnostics, ...error.failures.map(ruleDiagnostic), ...this.#warnings];
      return this.#object(false, found, { disclosure: this.#disclosure });
    }
    this.#clear();
    for (const line of refusalLines(error)) this.#line(line);
    this.#line(refusalCounts(error) + (consequence && ` ${consequence}`));
  }

  unable(error: UnableError): void {
    if (this.#json) return this.#failed(error);
    this.#clear();
    this.#line(`${error.code} ${error.message}`);
  }

  /** Prints the lines of an error, after which the command goes on. */
  broken(lines: readonly string[]): void {
    this.#clear();
    for (const line of lines) this.#line(line);
  }

  /** Prints the result on standard output. */
  #answer(text: string): void {
    this.#clear();
    process.stdout.write(`${printable(text)}\n`);
  }

  #object(ok: boolean, diagnostics: readonly ReportedDiagnostic[], result?: object): void {
    process.stdout.write(`${JSON.stringify(jsonReport(ok, diagnostics, result))}\n`);
  }

  #failed({ code, message }: Pick<ReportedDiagnostic, 'code' | 'message'>, result?: object): void {
    this.#object(false, [{ severity: 'error', code, message }, ...this.#warnings], result);
  }

  /** Prints everything else on standard error. */
  #line(text: string): void {
    this.#clear();
    process.stderr.write(`${printable(text)}\n`);
  }

  #progress({ stage, done, total, what }: Extract<BuildEvent, { kind: 'progress' }>): void {
    const verb = VERBS[stage];
    if (this.#animated) {
      const full = Math.round((done / total) * BAR);
      const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
      process.stderr.write(
        `\r\x1b[K${verb.padEnd(9)} ${bar} ${done}/${total} ${inert(what)}`.slice(
          0,
          3 + (process.stderr.columns ?? 80),
        ),
      );
      this.#drawn = true;
      return;
    }
    // Without a terminal, one line when a stage starts and one when it ends.
    if (!this.#begun.has(stage)) process.stderr.write(`${verb} ${total} ${SUBJECTS[stage]}\n`);
    this.#begun.add(stage);
    if (done === total) process.stderr.write(`${verb}: done\n`);
  }

  #clear(): void {
    if (this.#drawn) process.stderr.write('\r\x1b[K');
    this.#drawn = false;
  }
}

/** Removes control characters: text of a contract, a lake or a tree must not move the cursor or hide a line. */
function printable(text: string): string {
  return text.split('\n').map(inert).join('\n');
}

function hostText({ name, bytes, leftOut, folder }: HostSummary): string {
  const left = describeLeftOut(leftOut);
  const without = left.length === 0 ? 'Nothing is left out' : `Left out: ${left.join(', ')}`;
  const more = folder === null ? '' : ` Its own files are at ${folder}.`;
  return `For ${name}: ${countOf(bytes, 'byte')}. ${without}.${more}`;
}

function againstText({ name, entries, more, less }: LogComparison): string {
  const [shorter, releases] = more.length > 0 ? ['This copy', more] : [name, less];
  if (releases.length === 0) return `${name} has the same ${countOf(entries, 'release')}.`;
  const has =
    more.length > 0
      ? `${name} has ${countOf(more.length, 'release')} more`
      : `${name} lacks ${countOf(less.length, 'release')}`;
  return `${has}: ${releases.join(', ')}. ${shorter} is older, or was rolled back; both tell the same past.`;
}

function logText({ release, log }: VerifyResult): string {
  if (log === null) return `Release ${release} is not signed: it has no log of releases.`;
  const { origin, entry, entries, signed, witnesses } = log;
  const by = signed ? `signed by ${origin}` : `of ${origin}; give --key to check whose it is`;
  const seen = witnesses.length === 0 ? '' : `, and by ${witnesses.join(', ')} as a witness`;
  return `Release ${release} is number ${entry} of ${entries} in the log ${by}${seen}.`;
}

const VERBS = {
  fetch: 'Fetching',
  read: 'Reading',
  table: 'Dividing',
  check: 'Checking',
  disclosure: 'Comparing',
  slice: 'Writing',
  verify: 'Verifying',
  compare: 'Comparing',
  snapshot: 'Packing',
  bag: 'Hashing',
} as const;

const SUBJECTS = {
  fetch: 'files',
  read: 'files',
  table: 'tables',
  check: 'subjects',
  disclosure: 'datasets',
  slice: 'files',
  verify: 'files',
  compare: 'slices and copies',
  snapshot: 'files',
  bag: 'files',
} as const;

/** Dataset, rule, count, slices, and up to five rows, one per line. */
