import type { HistoryItem } from '../../../../../build/client.ts';
import type { List } from '../../api/reads.ts';
import { DataTable, More } from '../../components/data-table.tsx';
import { When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { formatPrice } from '../../words/formats.ts';
import { historyWord, wordOf } from '../../words/words.ts';
import { texts } from './orders-texts.ts';

/** What happened to a sale and its license, oldest first. */
export function OrderHistory({ of: history, currency }: { of: List<HistoryItem>; currency: string }) {
  return (
    <section class="stack">
      <h2>{texts.history}</h2>
      <Loaded of={history}>
        {(items) => (
          <DataTable
            label={texts.history}
            rows={items.map((item, at) => ({ ...item, id: `${at}` }))}
            columns={[
              { name: texts.what, of: ({ action }) => wordOf('action', action) },
              { name: texts.detail, of: (item) => detailOf(item, currency) },
              { name: texts.who, of: ({ actor }) => wordOf('actor', actor) },
              { name: texts.when, of: ({ at }) => <When at={at} /> },
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
  return [before, after].flatMap((value) => (value === undefined ? [] : historyWord(action, value, inMoney))).join(' → ');
}
