/** Prints rows of the same columns, as wide as they need to be. */
export function printTable(title: string, rows: readonly Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const line = (texts: readonly string[]) => texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ');
  console.log(`\n${title}\n`);
  console.log([columns, widths.map((width) => '-'.repeat(width)), ...cells].map(line).join('\n'));
}
