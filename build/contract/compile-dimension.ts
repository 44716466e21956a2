/** Compiles one table of a contract to a dimension. */
import type { LinkNote } from '../format/documents.ts';
import { checkSchemaHash, type ReadColumn, readBaseColumns, schemaHash } from './columns.ts';
import type { RawContract } from './contract-profile.ts';
import type { ContractTable } from './contract-table.ts';
import { OBJECT_SHAPE, type ObjectProperties, ROOT_SHAPE, type RootProperties } from './custom-profile.ts';
import type { Coordinates, Dimension, DimensionColumn } from './dataset.ts';
import { checkName } from './dataset-name.ts';
import { quote, suggestion } from './diagnostic.ts';
import { checkBasename, readFileLayout } from './file-layout.ts';
import type { Problems } from './problems.ts';
import { readRules } from './quality-rules.ts';
import { type CustomProperties, readCustomProperties } from './shape.ts';
import { readPrimaryKey } from './table-keys.ts';
import { sourceOf } from './yaml-document.ts';
import { readWithdrawn } from './years-and-levels.ts';

export function compileDimension(
  { raw, document, owner, served }: ContractTable,
  problems: Problems,
): Dimension | null {
  const root = readCustomProperties<RootProperties>(raw.customProperties, [], ROOT_SHAPE, problems);
  if (served === null) return null;
  const { table, leftOut } = served;
  const object = readCustomProperties<ObjectProperties>(
    table.customProperties,
    owner,
    OBJECT_SHAPE,
    problems,
  );
  const { name } = table;
  if (name !== undefined) checkName(name, 'dimension', [...owner, 'name'], problems);
  const scope = object.values.scope ?? (raw.domain === undefined ? 'global' : 'domain');
  checkDomain(raw, scope, object, problems);
  const basename = object.values.physical_basename?.replace(/\.parquet$/, '') ?? name;
  if (object.values.physical_basename !== undefined) {
    checkBasename(basename!, object.pathOf('physical_basename'), problems);
  }

  const names = (table.properties ?? []).flatMap(property => property?.name ?? []);
  const rules = readRules(table, owner, names, problems);
  const read = readBaseColumns(table, owner, rules, object, problems);
  const linkKeys = readLinkKeys(object, read, problems);
  const columns = readColumns(read, linkKeys, problems);
  const coordinates = readCoordinates(read, problems);
  const stated = readPrimaryKey(read, problems);
  const primaryKey = stated.length > 0 ? stated : columns.filter(c => c.role === 'key').map(c => c.name);
  if (primaryKey.length === 0 && read.length === served.columns && columns.length === read.length) {
    const message =
      'no column is marked primaryKey: true, so no dataset can join the dimension: mark its key';
    problems.error([...owner, 'properties'], 'primary-key-missing', message);
  }
  const { withdrawal, slices } = readWithdrawn(root, raw.status, problems);
  if (slices.length > 0) {
    const message = 'a dimension has no years or levels to withdraw: remove them';
    problems.error(root.pathOf('withdrawn'), 'withdrawn-slices', message);
  }
  if (problems.failed || name === undefined || basename === undefined) return null;

  const hash = schemaHash(columns, primaryKey);
  checkSchemaHash(hash, root, problems);
  const domain = raw.domain ?? '';
  const folder = scope === 'global' ? '_dimensions' : `${domain}/_dimensions`;
  return {
    kind: 'dimension',
    key: scope === 'global' ? name : `${domain}/${name}`,
    name,
    domain,
    scope,
    version: raw.version ?? '',
    title: root.values.title ?? (raw.schema?.length === 1 ? raw.name : table.businessName) ?? name,
    description: table.description ?? raw.description?.purpose ?? '',
    path: `${folder}/${basename}.parquet`,
    columns,
    leftOut,
    fileLayout: readFileLayout(object, columns, problems),
    native: problems.native,
    primaryKey,
    attributeColumns: columns.filter(c => c.role === 'attribute').map(c => c.name),
    linkKeys,
    semantics: object.values.semantics ?? null,
    coordinates,
    boundaryKey: object.values.boundary_key ?? null,
    rowsOf: object.values.rows_of ?? null,
    rules,
    schemaHash: hash,
    withdrawal,
    source: sourceOf(document, owner, null),
  };
}

/** A domain's own dimension needs a domain; every domain can join a global one. */
function checkDomain(
  raw: RawContract,
  scope: Dimension['scope'],
  object: CustomProperties<ObjectProperties>,
  problems: Problems,
): void {
  if (raw.domain !== undefined) {
    checkName(raw.domain, 'domain', ['domain'], problems);
  } else if (scope === 'domain') {
    const message = "the document has no 'domain', but the scope is domain: add it, or make the scope global";
    problems.error(object.pathOf('scope'), 'contract-missing', message);
  }
}

function readLinkKeys(
  object: CustomProperties<ObjectProperties>,
  read: readonly ReadColumn[],
  problems: Problems,
): unknown {
  const names = read.map(({ base }) => base.name);
  const flagged = read.filter(({ custom }) => linkKeyOf(custom) !== false).map(({ base }) => base.name);
  const stated = object.values.link_keys;
  for (const [i, name] of (Array.isArray(stated) ? stated : []).entries()) {
    // Mappings are the publisher's own, so only names are checked.
    if (typeof name !== 'string' || names.includes(name)) continue;
    const message = `the link key ${quote(name)} is not a column${suggestion(name, names)}: correct the name, unless it is a note for readers`;
    problems.warning(object.pathOf('link_keys', i), 'link-key', message);
  }
  return stated ?? (flagged.length > 0 ? flagged : null);
}

function linkKeyOf({ values }: ReadColumn['custom']): DimensionColumn['linkKey'] {
  const { link_key: stated = false } = values;
  const isNote = typeof stated === 'string' || (typeof stated === 'object' && stated !== null);
  return isNote ? (stated as LinkNote) : stated !== false;
}

/** If no role is stated, `primaryKey` decides. */
function readColumns(
  read: readonly ReadColumn[],
  linkKeys: unknown,
  problems: Problems,
): readonly DimensionColumn[] {
  const marked = read.some(({ raw }) => raw.primaryKey === true);
  return read.flatMap(({ base, raw, custom }) => {
    const stated = custom.values.column_role;
    if (stated !== undefined && stated !== 'key' && stated !== 'attribute') {
      const message = `there is no role ${quote(stated)} in a dimension${suggestion(stated, ['key', 'attribute'])}: use key or attribute`;
      problems.error(custom.pathOf('column_role'), 'column-role', message);
      return [];
    }
    const isKey = raw.primaryKey === true;
    const role = stated ?? (isKey ? 'key' : 'attribute');
    if (marked && stated !== undefined && (stated === 'key') !== isKey) {
      const message = `${quote(base.name)} has the role ${stated}, but ${isKey ? 'is' : 'is not'} marked primaryKey: make them agree`;
      problems.error(custom.pathOf('column_role'), 'column-role', message);
    }
    const isListed = Array.isArray(linkKeys) && linkKeys.includes(base.name);
    const linkKey = linkKeyOf(custom) || isListed;
    return [{ ...base, role, linkKey }];
  });
}

const NAMES: Readonly<Record<keyof Coordinates, RegExp>> = {
  latitude: /^(lat|latitude|latitud|breite(ngrad)?)$/iu,
  longitude: /^(lon|lng|long|longitude|longitud|länge(ngrad)?)$/iu,
};

export function isCoordinateName(which: keyof Coordinates, name: string): boolean {
  return NAMES[which].test(name);
}

/** Null unless there are both. A stated coordinate takes precedence over a name. */
function readCoordinates(read: readonly ReadColumn[], problems: Problems): Coordinates | null {
  const found = (which: keyof Coordinates): string | null => {
    const stated = read.filter(({ custom }) => custom.values.coordinate === which);
    const [first, second] = stated;
    if (second !== undefined) {
      const message = `${quote(first!.base.name)} is the ${which} already: a place has one, so remove this property`;
      problems.doubt(second.custom.pathOf('coordinate'), 'coordinate', message);
    }
    const wrong = stated.find(({ base }) => !isNumber(base.type));
    if (wrong !== undefined) {
      const message = `${quote(wrong.base.name)} is a ${wrong.base.type}, and a ${which} is a number of degrees: make it a number`;
      problems.doubt(wrong.custom.pathOf('coordinate'), 'coordinate', message);
      return null;
    }
    const named = read.find(
      ({ base, custom }) =>
        custom.values.coordinate === undefined && isNumber(base.type) && isCoordinateName(which, base.name),
    );
    return (first ?? named)?.base.name ?? null;
  };
  const [latitude, longitude] = [found('latitude'), found('longitude')];
  const lone = read.find(({ custom }) => custom.values.coordinate !== undefined);
  if (lone !== undefined && (latitude === null) !== (longitude === null)) {
    const lacking = latitude === null ? 'latitude' : 'longitude';
    const message = `a point needs both coordinates, and no column is the ${lacking}: name it with coordinate: ${lacking}`;
    problems.doubt(lone.custom.pathOf('coordinate'), 'coordinate', message);
  }
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function isNumber(type: string): boolean {
  return type === 'number' || type === 'integer';
}
