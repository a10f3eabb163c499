/** A size as readers of `locale` write it: `12.3 MB`. */
export function formatSize(bytes: number, locale: string): string {
  const units = [
    ['gigabyte', 1e9],
    ['megabyte', 1e6],
    ['kilobyte', 1e3],
    ['byte', 1],
  ] as const;
  const [unit, divisor] = units.find(([, least]) => bytes >= least) ?? ['byte', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(bytes / divisor);
}
