import { useEffect } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { announce } from '../../components/live.tsx';
import { navigate, useLocation } from '../../frame/location.ts';
import { createStore } from '../../store/store.ts';
import { useStore } from '../../store/use-store.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { texts } from './decisions-texts.ts';
import { nextOf, placeOf, type QueueItem } from './queue-places.ts';

/** What was decided last, and the path of the screen that comes after it. */
const told = createStore({ text: '', at: '' });

/**
 * Says what was decided. Where that waited in the queue, leads to what comes next there, or to the queue where nothing is left.
 */
export function useNextInQueue(): (said: string, decided: Pick<QueueItem, 'kind' | 'target_id'> | undefined) => Promise<void> {
  const { path } = useLocation();
  return async (said, decided) => {
    announce(said);
    if (!decided) return;
    const queue = await call('listReviewQueue', { query: { limit: 50 } }).catch(() => undefined);
    const next = queue && nextOf(queue.items, decided);
    const at = next ? placeOf(next) : '/console/admin';
    told.set({ text: next || !queue ? said : `${said} ${texts.nothingLeft}`, at });
    navigate(at);
    // Where the same screen has what comes next, no new heading takes the focus.
    if (at === path) document.querySelector('h1')?.focus();
  };
}

/** On a screen that may come after a decision: what was decided, until the screen is left. */
export function JustDecided() {
  const { path } = useLocation();
  const { text, at } = useStore(told);
  useEffect(
    () => () => {
      // What the next screen is to say is there already when this one is left.
      if (told.get().at === path) told.set({ text: '', at: '' });
    },
    [path],
  );
  return at === path ? (
    <p class="notice">
      <SellerText text={text} />
    </p>
  ) : null;
}
