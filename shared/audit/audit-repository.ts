import type { Needs } from '../context.ts';
import { auditKey, auditPartition, listKey } from '../db/keys.ts';
import { listAcrossShards, listPartitionPage, type Page, type PageRequest, parsePage, readPartition } from '../db/sharded-list.ts';
import { ifAbsent, type Table, type Write } from '../db/table.ts';
import { newId } from '../ids.ts';
import { type AuditAction, AuditRecord } from './audit.ts';

/** What is recorded, but when. */
export type AuditEntry = Omit<AuditRecord, 'id' | 'at' | 'action'> & { action: AuditAction };

/** Writes an audit record; part of the transaction that does what it records. */
export function recordAudit(c: Needs<'now'>, entry: AuditEntry): Write {
  const record: AuditRecord = { id: newId('audit', c.now()), at: c.now().toISOString(), ...entry };
  const { targetId, at, id } = record;
  return { put: { Item: { ...auditKey(targetId, at, id), ...listKey('audit', at, id), ...record }, ...ifAbsent } };
}

/** How many records of an action a target has. */
export async function countAudits(table: Table, targetId: string, action: AuditAction): Promise<number> {
  const items = await readPartition(table, { pk: auditPartition(targetId), prefix: '' });
  return items.filter((item) => item['action'] === action).length;
}

/** Every record of a target, oldest first. */
export async function findAudits(table: Table, targetId: string): Promise<AuditRecord[]> {
  const items = await readPartition(table, { pk: auditPartition(targetId), prefix: '' });
  return items.map((item) => AuditRecord.parse(item));
}

/** Newest first; of one target, or of all. */
export async function listAudit(table: Table, request: PageRequest & { targetId?: string | undefined }): Promise<Page<AuditRecord>> {
  const { targetId, ...page } = request;
  const newestFirst = { ...page, newestFirst: true };
  const found =
    targetId === undefined
      ? await listAcrossShards(table, 'audit', newestFirst)
      : await listPartitionPage(table, `audit-of-${targetId}`, { pk: auditPartition(targetId), prefix: '' }, newestFirst);
  return parsePage(found, AuditRecord);
}
