import { useList } from '../../api/reads.ts';
import { More } from '../../components/data-table.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { AuditTable } from './audit-table.tsx';
import { texts } from './audit-texts.ts';

/** What was recorded about one thing, or about two that are looked at as one, newest first; for the screen that shows them. */
export function AuditOf({ id, other }: { id: string; other?: string | undefined }) {
  const first = useList('listAudit', { query: { target_id: id } });
  const second = useList('listAudit', { query: { target_id: other ?? id } }, { enabled: other !== undefined });
  const more = [first, second].find((list) => list.more !== undefined);
  return (
    <section class="stack">
      <h2>{texts.title}</h2>
      <Loaded of={first}>
        {(records) => {
          const all = [...records, ...(other === undefined ? [] : (second.body ?? []))].toSorted((a, b) => (a.at < b.at ? 1 : -1));
          return all.length === 0 ? <p>{texts.none}</p> : <AuditTable label={texts.title} records={all} ofOne={other === undefined} />;
        }}
      </Loaded>
      {more && <More of={more} />}
    </section>
  );
}
