import { useEffect, useRef } from 'preact/hooks';
import type { WebhookEndpointWithSecret } from '../../../../../build/client.ts';
import { Secret } from '../../components/secret.tsx';
import { texts } from './webhooks-texts.ts';

/** By which it can be led to. */
export const secretId = 'secret';

/** A signing secret that was just made, where the focus goes; it is in the memory of its screen alone. */
export function ShownSecret({ of: { url, secret }, onDone }: { of: WebhookEndpointWithSecret; onDone: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [secret]);
  return (
    <div ref={place} id={secretId} class="stack" tabIndex={-1}>
      <Secret label={`${texts.secret}: ${url}`} value={secret} onDone={onDone} />
    </div>
  );
}
