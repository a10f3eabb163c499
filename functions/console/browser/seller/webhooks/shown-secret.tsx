import { useEffect, useRef } from 'preact/hooks';
import { Secret } from '../../parts/secret.tsx';
import { say } from './webhooks-texts.ts';

/** A signing secret that was just made, where the focus goes; it is in the memory of its screen alone. */
export function ShownSecret({ value, url, onDone }: { value: string; url: string; onDone: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [value]);
  return (
    <div ref={place} tabIndex={-1}>
      <Secret label={`${say.secret} (${say.madeFor(url)})`} value={value} onDone={onDone} />
    </div>
  );
}
