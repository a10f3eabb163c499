import type { HistoryItem } from '../../../../../build/client.ts';
import type { List } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { When } from '../../parts/when.tsx';
import { formatPrice } from '../../words/formats.ts';
import { toldWord, wordOf } from '../../words/words.ts';
import { say } from './orders-texts.ts';

/** What happened to a sale and its license, oldest first. */
export function OrderHistory({ of: history, currency }: { of: List<HistoryItem>; currency: string }) {
  return (
    <section class="stack">
      <h2>{say.history}</h2>
      <Loaded of={history}>
        {(items) => (
          <DataTable
            label={say.history}
            rows={items.map((item, at) => ({ ...item, id: `${at}` }))}
            idOf={({ id }) => id}
            columns={[
              { name: say.what, of: ({ action }) => wordOf('action', action) },
              { name: say.detail, of: (item) => detailOf(item, currency) },
              { name: say.who, of: ({ actor }) => wordOf('actor', actor) },
              { name: say.when, of: ({ at }) => <When at={at} /> },
            ]}
          />
        )}
      </Loaded>
      <More of={history} />
    </section>
  );
}

/** What changed from what to what, as far as it is told. */
function detailOf({ action, before, after }: HistoryItem, currency: string): string {
  const inMoney = (amount: number) => formatPrice(amount, currency);
  return [before, after].flatMap((value) => (value === undefined ? [] : toldWord(action, value, inMoney))).join(' → ');
}
