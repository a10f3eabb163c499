import type { BodyOf } from '../../api/call.ts';
import { useList, useRead } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { Due, When } from '../../components/when.tsx';
import { Loaded, LoadedList } from '../../frame/loaded.tsx';
import { useLocation } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { JustDecided } from '../decisions/next-in-queue.tsx';
import { placeOf, type QueueItem } from '../decisions/queue-places.ts';
import { texts } from './queue-texts.ts';

type Overview = BodyOf<'getAdminOverview'>;

const kinds = ['seller', 'product', 'revision', 'file', 'release'] as const;
type Kind = (typeof kinds)[number];

const queue = '/console/admin';
/** While hashes and scans are under way it is looked how far they are. */
const everyMs = 10_000;

/** What waits for a decision, that first which waits longest, and so what is overdue. */
export function QueueScreen() {
  const { query } = useLocation();
  const kind = kinds.find((one) => one === query.kind);
  const overview = useRead('getAdminOverview', {});
  const items = useList(
    'listReviewQueue',
    { query: { limit: 50, ...(kind && { kind }) } },
    { every: (all) => all.some(isChecked) && everyMs },
  );
  useAnnouncements(items.body && Object.fromEntries(items.body.map((item) => [item.target_id, `${item.title}: ${readiness(item)}`])));
  return (
    <Screen title={texts.title}>
      <JustDecided />
      <Loaded of={overview}>{(body) => <Amiss overview={body} />}</Loaded>
      {(overview.body ?? overview.failure) && (
        <>
          <Kinds overview={overview.body} chosen={kind} />
          <LoadedList
            of={items}
            none={<Empty text={kind ? texts.noneOf : texts.none} next={kind && <a href={queue}>{texts.showAll}</a>} />}
          >
            {(rows) => <Waiting items={rows} />}
          </LoadedList>
        </>
      )}
    </Screen>
  );
}

/** What does not get done by itself; nothing where all is well. */
function Amiss({ overview: { jobs, bounced_mails } }: { overview: Overview }) {
  const told = [
    jobs.dead > 0 && <a href="/console/admin/jobs">{texts.dead(jobs.dead)}</a>,
    jobs.late > 0 && <a href="/console/admin/jobs">{texts.late(jobs.late)}</a>,
    bounced_mails > 0 && <a href="/console/admin/orders">{texts.bounced(bounced_mails)}</a>,
  ].filter((one) => one !== false);
  if (told.length === 0) return null;
  return (
    <section class="notice warn">
      <ul class="plain">
        {told.map((one, index) => (
          <li key={index}>{one}</li>
        ))}
      </ul>
    </section>
  );
}

function Kinds({ overview, chosen }: { overview: Overview | undefined; chosen: Kind | undefined }) {
  const counts = kinds.map((kind) => ({ kind, ...(overview?.queue[kind] ?? { count: 0 }) }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <nav class="tabs" aria-label={texts.kinds}>
      <ul>
        {[{ kind: undefined, count: total }, ...counts].map(({ kind, count, ...one }) => (
          <li key={kind}>
            <a href={kind ? `${queue}?kind=${kind}` : queue} aria-current={chosen === kind ? 'page' : undefined}>
              {kind ? wordOf('queue', kind) : texts.all}
              {overview && (
                <small class="second">
                  {texts.most(count)}
                  {'oldest_since' in one && one.oldest_since && (
                    <>
                      {' · '}
                      <span class="visually-hidden">{texts.oldest} </span>
                      <When at={one.oldest_since} ago />
                    </>
                  )}
                </small>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const isChecked = ({ blocked_by }: QueueItem) => blocked_by === 'hash' || blocked_by === 'scan';

function Waiting({ items }: { items: readonly QueueItem[] }) {
  return (
    <DataTable
      label={texts.title}
      rows={items.map((item) => ({ ...item, id: item.target_id }))}
      attributesOf={({ kind, target_id }) => ({ 'data-kind': kind, 'data-target': target_id })}
      columns={[
        { name: texts.item, of: (item) => <Item item={item} /> },
        {
          name: texts.due,
          of: (item) => (
            <>
              <Due at={item.due_at} />
              <br />
              <span class={`state ${looks[item.own ? 'own' : (item.blocked_by ?? 'ready')]}`}>{readiness(item)}</span>
            </>
          ),
        },
      ]}
    />
  );
}

const looks = { own: '', ready: 'good', infected: 'bad', hash: 'waits', scan: 'waits' };

/** Whether it can be decided now, or why not. */
function readiness({ own, blocked_by }: QueueItem): string {
  if (own) return texts.own;
  return blocked_by ? wordOf('blocker', blocked_by) : texts.ready;
}

const Item = ({ item }: { item: QueueItem }) => (
  <>
    <a href={placeOf(item)}>
      <SellerText text={item.title} />
    </a>
    <small class="second">
      {wordOf('queue', item.kind)}
      {item.kind !== 'seller' && (
        <>
          {' · '}
          <SellerText text={item.seller_name} />
        </>
      )}
    </small>
  </>
);
