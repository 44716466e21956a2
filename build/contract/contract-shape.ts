import { CONTRACT_SHAPE, type RawContract } from './contract-profile.ts';
import type { Problems } from './problems.ts';
import { checkShape, type WrongPart } from './shape.ts';

/** Keys whose value is a text. A number or a boolean there stands for its text in a contract of another tool. */
const TEXTS = new Set(['apiVersion', 'id', 'name', 'version', 'status', 'domain', 'tenant', 'description']);

/** Lists that stay readable when one entry is null. */
const ENTRY_LISTS = new Set(['schema', 'properties', 'quality', 'customProperties', 'relationships']);

/**
 * Checks a document against the profile of ODCS and returns the parts that are well-formed. It leaves out keys without
 * a value and values of a wrong type, so that the same run can check everything else.
 */
export function readContract(value: unknown, problems: Problems): RawContract {
  const view = withPurpose(withoutNulls(value, !problems.native));
  const severity = problems.native ? 'error' : 'warning';
  const wrong = checkShape(
    CONTRACT_SHAPE,
    view,
    path => path,
    problems,
    () => severity,
  );
  // Wrong entries become null instead of being removed, so that the paths of later entries stay valid.
  for (const part of wrong) remove(view, part);
  return view as RawContract;
}

/** Copies a value without mapping keys that have no value. `lenient`: a number where a text belongs becomes one. */
function withoutNulls(value: unknown, lenient: boolean): unknown {
  if (Array.isArray(value)) return value.map(inner => withoutNulls(inner, lenient));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const isText = lenient && TEXTS.has(key) && ['number', 'boolean'].includes(typeof inner);
      return [key, isText ? String(inner) : withoutNulls(inner, lenient)];
    }),
  );
}

/** A description that is one text states the purpose. */
function withPurpose(view: unknown): unknown {
  const { description } = (view ?? {}) as { description?: unknown };
  return typeof description === 'string'
    ? { ...(view as object), description: { purpose: description } }
    : view;
}

/** Removes the smallest part around a wrong value that the types of `RawContract` allow to be absent. */
function remove(root: unknown, { path, lacking }: WrongPart): void {
  const rule = path.lastIndexOf('quality');
  const listed = path.lastIndexOf('enum');
  let end = path.length;
  if (rule >= 0 && path.length > rule + 1) end = rule + 2;
  else if (listed >= 0) end = listed + 1;
  else if (typeof path[end - 1] === 'number' && !ENTRY_LISTS.has(String(path[end - 2]))) end--;
  const parent = path.slice(0, end - 1).reduce<unknown>((node, step) => child(node, step), root);
  const last = path[end - 1];
  if (last === undefined || typeof parent !== 'object' || parent === null) return;
  if (lacking && end === path.length && end !== rule + 2) return;
  if (Array.isArray(parent)) parent[Number(last)] = null;
  else delete (parent as Record<string, unknown>)[String(last)];
}

function child(node: unknown, step: string | number): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, step)
    ? (node as Record<string | number, unknown>)[step]
    : undefined;
}
