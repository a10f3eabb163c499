/** The day of a moment in the reader's zone, as a field for days has it: `2026-01-31`. */
export function dayOf(at: string): string {
  const time = new Date(at);
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(time.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

/** The first moment of a day in the reader's zone; undefined where that is no day. */
export const startOf = (day: string): string | undefined => momentOf(`${day}T00:00:00.000`);

/** The last moment of a day in the reader's zone; undefined where that is no day. */
export const endOf = (day: string): string | undefined => momentOf(`${day}T23:59:59.999`);

/** A moment of the reader's zone, such as `2026-01-31T10:00`, for the service; undefined where that is none. */
export function momentOf(local: string): string | undefined {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
