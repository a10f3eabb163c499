import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { BodyOf } from '../../api/call.ts';
import { useList, useRead } from '../../api/reads.ts';
import { announce } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Due, When } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { JustDecided } from '../decisions/next.tsx';
import { placeOf, type QueueItem } from '../decisions/queue-places.ts';
import { say } from './queue-texts.ts';

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
  return (
    <Screen title={say.title}>
      <JustDecided />
      {overview.body && <Amiss overview={overview.body} />}
      <Kinds overview={overview.body} chosen={kind} />
      <Waiting key={kind} kind={kind} />
    </Screen>
  );
}

/** What does not get done by itself; nothing where all is well. */
function Amiss({ overview: { jobs, bounced_mails } }: { overview: Overview }) {
  const told = [
    jobs.dead > 0 && <a href="/console/admin/jobs">{say.dead(jobs.dead)}</a>,
    jobs.late > 0 && <a href="/console/admin/jobs">{say.late(jobs.late)}</a>,
    bounced_mails > 0 && <a href="/console/admin/orders">{say.bounced(bounced_mails)}</a>,
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
  return (
    <nav class="tabs" aria-label={say.kinds}>
      <ul>
        <li>
          <a href={queue} aria-current={chosen === undefined ? 'page' : undefined}>
            {say.all}
            {overview && <small class="second">{say.most(kinds.reduce((sum, kind) => sum + (overview.queue[kind]?.count ?? 0), 0))}</small>}
          </a>
        </li>
        {kinds.map((kind) => {
          const { count = 0, oldest_since } = overview?.queue[kind] ?? {};
          return (
            <li key={kind}>
              <a href={`${queue}?kind=${kind}`} aria-current={chosen === kind ? 'page' : undefined}>
                {wordOf('queue', kind)} {overview && <small>{say.most(count)}</small>}
                {oldest_since && (
                  <small class="second">
                    {say.oldest} <When at={oldest_since} ago />
                  </small>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const isChecked = ({ blocked_by }: QueueItem) => blocked_by === 'hash' || blocked_by === 'scan';

function Waiting({ kind }: { kind: Kind | undefined }) {
  const items = useList(
    'listReviewQueue',
    { query: { limit: 50, ...(kind && { kind }) } },
    { every: (all) => all.some(isChecked) && everyMs },
  );
  useNews(items.body);
  return (
    <>
      <Loaded of={items}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty text={kind ? say.noneOf : say.none} next={kind && <a href={queue}>{say.showAll}</a>} />
          ) : (
            <DataTable
              label={say.title}
              rows={rows}
              idOf={({ target_id }) => target_id}
              attributesOf={({ kind, target_id }) => ({ 'data-kind': kind, 'data-target': target_id })}
              columns={[
                { name: say.item, of: (item) => <Item item={item} /> },
                {
                  name: say.due,
                  of: (item) => (
                    <>
                      <Due at={item.due_at} />
                      <br />
                      <Readiness item={item} />
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <More of={items} />
    </>
  );
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

function Readiness({ item: { own, ready, blocked_by } }: { item: QueueItem }) {
  if (own) return <span class="state">{say.own}</span>;
  if (ready || !blocked_by) return <span class="state good">{say.ready}</span>;
  return <span class={blocked_by === 'infected' ? 'state bad' : 'state waits'}>{wordOf('blocker', blocked_by)}</span>;
}

/** Tells of what can be decided now and could not when it was last looked at. */
function useNews(items: readonly QueueItem[] | undefined): void {
  const waited = useRef(new Set<string>());
  useEffect(() => {
    if (!items) return;
    const came = items.filter(({ ready, target_id }) => ready && waited.current.has(target_id)).length;
    if (came > 0) announce(say.became(came));
    waited.current = new Set(items.filter(isChecked).map(({ target_id }) => target_id));
  }, [items]);
}
