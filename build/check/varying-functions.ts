/** Functions whose result depends on more than their arguments. A rule that calls one is no promise about rows. */
import type { ReferencedNames } from './referenced-names.ts';

/** What `duckdb_functions()` does not call CONSISTENT, and macros and settings that lead to such. */
const VARYING = new Set([
  ...['random', 'setseed', 'uuid', 'uuidv4', 'uuidv7', 'gen_random_uuid', 'nextval', 'currval'],
  ...['now', 'today', 'ago', 'current_date', 'current_time', 'current_timestamp', 'get_current_time'],
  ...['get_current_timestamp', 'current_localtime', 'current_localtimestamp', 'transaction_timestamp'],
  ...['pg_conf_load_time', 'pg_postmaster_start_time', 'localtime', 'localtimestamp'],
  ...['current_connection_id', 'current_query', 'current_query_id', 'current_transaction_id'],
  ...['txid_current', 'current_setting', 'getvariable', 'getenv', 'stats', 'sleep_ms', 'write_log'],
]);

/** SQL writes these without parentheses. A column may have the same name. */
const WORDS = new Set(['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']);

/** What makes a statement vary, for a message; null where nothing does. */
export function whatVaries(
  { calls, words, samples }: ReferencedNames,
  columns: readonly string[],
): string | null {
  const call = calls.find(({ name, count }) => VARYING.has(name) || (name === 'age' && count === 1));
  if (call) return call.name === 'age' ? 'age() with one argument' : `${call.name}()`;
  const own = new Set(columns.map(column => column.toLowerCase()));
  const word = words.find(name => WORDS.has(name) && !own.has(name));
  if (word !== undefined) return word;
  return samples ? 'a sample of rows' : null;
}
