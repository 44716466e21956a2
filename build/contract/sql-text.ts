/** A name of a contract as a quoted identifier in SQL. */

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
