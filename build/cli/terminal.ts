/** Prints for a person, or for a program (--json). */
import { type DatasetDisclosure, disclosureLines } from '../check/disclosure.ts';
import { formatCauses, inert } from '../contract/diagnostic.ts';
import { EXIT, type RefusedError, type UnableError } from '../failure.ts';
import type { BuildEvent, Reporter } from '../report.ts';
import {
  isProblem,
  jsonReport,
  outcomeText,
  type ReportedDiagnostic,
  refusalCounts,
  refusalLines,
  ruleDiagnostic,
} from './problem-report.ts';

/** Characters. */
const BAR = 24;

type Progress = Extract<BuildEvent, { kind: 'progress' }>;

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
  /** Stages that have begun. Two may run at the same time. */
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
        // Only `civic validate` shows notes.
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

  /** What the command has reported so far, for its object. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  get disclosure(): readonly DatasetDisclosure[] | undefined {
    return this.#disclosure;
  }

  /** Prints a command's result: lines for a person, or an object for a program. With an error, the command has failed. */
  say(
    lines: readonly string[],
    result: object,
    diagnostics: readonly ReportedDiagnostic[] = this.#warnings,
  ): void {
    const ok = diagnostics.every(({ severity }) => severity !== 'error');
    if (!ok) process.exitCode = EXIT.refused;
    if (this.#json) return this.#object(ok, diagnostics, result);
    this.#clear();
    for (const line of lines) process.stdout.write(`${printable(line)}\n`);
  }

  /** Prints problems for a person; the command continues. */
  warn(lines: readonly string[]): void {
    if (!this.#json) for (const line of lines) this.#line(line);
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

  #progress({ stage, done, total, what }: Progress): void {
    const [verb, subjects] = STAGES[stage];
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
    // If stderr isn't a terminal, prints a line when a stage starts and one when it ends.
    if (!this.#begun.has(stage)) process.stderr.write(`${verb} ${total} ${subjects}\n`);
    this.#begun.add(stage);
    if (done === total) process.stderr.write(`${verb}: done\n`);
  }

  #clear(): void {
    if (this.#drawn) process.stderr.write('\r\x1b[K');
    this.#drawn = false;
  }
}

/** Without control characters: text of contracts, lakes and trees must not move the cursor or hide a line. */
function printable(text: string): string {
  return text.split('\n').map(inert).join('\n');
}

/** For the progress of each stage: a verb and what is counted. */
const STAGES: Readonly<Record<Progress['stage'], readonly [verb: string, subjects: string]>> = {
  fetch: ['Fetching', 'files'],
  read: ['Reading', 'files'],
  table: ['Converting', 'tables'],
  check: ['Checking', 'subjects'],
  disclosure: ['Comparing', 'datasets'],
  slice: ['Writing', 'files'],
  verify: ['Verifying', 'files'],
  compare: ['Comparing', 'slices and copies'],
  snapshot: ['Packing', 'files'],
  bag: ['Hashing', 'files'],
};
