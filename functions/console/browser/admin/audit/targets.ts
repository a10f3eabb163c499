/** The screen of what an audit record is about; of other things only their records are shown. */
export function placeOfTarget(id: string): string | undefined {
  const kind = id.slice(0, id.indexOf('_'));
  const room = { sel: 'sellers', prd: 'products', ord: 'orders' }[kind];
  return room === undefined ? undefined : `/console/admin/${room}/${encodeURIComponent(id)}`;
}

/** All that was recorded about something. */
export const recordsOf = (id: string): string => `/console/admin/audit?target_id=${encodeURIComponent(id)}`;
