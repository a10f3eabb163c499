/** Until when what waits for an admin since then is to be decided; undefined of what does not wait. */
export function reviewDueAt(since: string | undefined, reviewDueHours: number): string | undefined {
  return since === undefined ? undefined : new Date(Date.parse(since) + reviewDueHours * 3_600_000).toISOString();
}
