/** Names and texts of a contract in the SQL of its rules. */

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
