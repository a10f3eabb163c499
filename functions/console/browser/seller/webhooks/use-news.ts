import { useEffect, useRef } from 'preact/hooks';
import type { EventDelivery } from '../../../../../build/client.ts';
import { announce } from '../../frame/live.tsx';
import { wordOf } from '../../words/words.ts';

/** Says how what was on its way fared, while one looked at it. */
export function useNews(deliveries: readonly EventDelivery[] | undefined): void {
  const pending = useRef(new Set<string>());
  useEffect(() => {
    if (!deliveries) return;
    const ended = deliveries.filter(({ event_id, status }) => status !== 'pending' && pending.current.has(event_id));
    if (ended.length > 0) announce(ended.map(({ type, status }) => `${wordOf('event', type)}: ${wordOf('delivery', status)}`).join('. '));
    pending.current = new Set(deliveries.filter(({ status }) => status === 'pending').map(({ event_id }) => event_id));
  }, [deliveries?.map(({ event_id, status }) => event_id + status).join()]);
}
