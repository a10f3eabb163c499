const rooms = [
  ['sel_', 'sellers'],
  ['prd_', 'products'],
  ['ord_', 'orders'],
] as const;

/** The screen of what an audit record is about; of other things only their records are shown. */
export function pathOfTarget(id: string): string | undefined {
  const [, room] = rooms.find(([prefix]) => id.startsWith(prefix)) ?? [];
  return room && `/console/admin/${room}/${encodeURIComponent(id)}`;
}

/** An id by its kind and its end: what is between is much the same in all. Others stay whole. */
export const shortId = (id: string): string => id.replace(/^([a-z]{3}_).{10,}(.{6})$/, '$1…$2');

/** All that was recorded about something. */
export const auditPathOf = (id: string): string => `/console/admin/audit?target_id=${encodeURIComponent(id)}`;
