/** The parts of a contract that the sample needs: columns in order, their types and the sort order of rows. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Problem } from './problem.ts';

export interface ContractColumns {
  readonly columns: readonly ContractColumn[];
  /** The grain of a dataset, the primary key of a dimension. */
  readonly order: readonly string[];
}

export interface ContractColumn {
  readonly name: string;
  readonly type: SqlType;
}

type SqlType = 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN';

const sqlTypes: Readonly<Record<string, SqlType>> = {
  int: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
};

interface Document {
  readonly schema?: readonly { readonly properties?: readonly Property[] }[];
}

interface Property {
  readonly name: string;
  readonly physicalType?: string;
  readonly primaryKeyPosition?: number;
}

/** `path`: the contract's, relative to the folder of contracts, without its extension. */
export function readContractColumns(contracts: string, path: string): ContractColumns | Problem {
  const file = join(contracts, `${path}.odcs.yaml`);
  if (!existsSync(file)) {
    return {
      code: 'no-contract',
      message: `${file} does not exist: the sample takes its columns from there`,
    };
  }
  const document = parse(readFileSync(file, 'utf8')) as Document;
  const properties = document.schema?.[0]?.properties ?? [];
  const columns: ContractColumn[] = [];
  for (const { name, physicalType } of properties) {
    const type = sqlTypes[physicalType ?? ''];
    if (!type) {
      const known = Object.keys(sqlTypes).join(', ');
      return { code: 'bad-contract', message: `${file}: physicalType of ${name} must be one of ${known}` };
    }
    columns.push({ name, type });
  }
  const order = properties
    .filter(property => property.primaryKeyPosition !== undefined)
    .sort((a, b) => (a.primaryKeyPosition ?? 0) - (b.primaryKeyPosition ?? 0))
    .map(property => property.name);
  return { columns, order };
}
