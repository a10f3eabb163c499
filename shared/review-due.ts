/** When a review that has been waiting since then is due; undefined if nothing is waiting. */
export function reviewDueAt(since: string | undefined, reviewDueHours: number): string | undefined {
  return since === undefined ? undefined : new Date(Date.parse(since) + reviewDueHours * 3_600_000).toISOString();
}
