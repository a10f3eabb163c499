import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './live.tsx';
import { texts } from './parts-texts.ts';

/** By which it can be led to. */
export const secretId = 'secret';

/** A secret that is shown this once, where the focus goes: in no draft, no address and no read, so it is gone with the screen. */
export function Secret({ label, value, onDone }: { label: string; value: string; onDone: () => void }) {
  const [outcome, setOutcome] = useState('');
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), [value]);
  async function copy(): Promise<void> {
    const text = await navigator.clipboard.writeText(value).then(
      () => texts.copied,
      () => texts.notCopied,
    );
    setOutcome(text);
    announce(text);
  }
  return (
    <section ref={place} id={secretId} class="notice" tabIndex={-1} aria-label={label}>
      <p>
        <strong>{label}</strong> {texts.secretOnce}
      </p>
      <p>
        <code class="secret" data-secret translate={false}>
          {value}
        </code>
      </p>
      <p class="buttons">
        <button type="button" class="button" onClick={() => void copy()}>
          {texts.copy}
        </button>
        <button type="button" class="button quiet" onClick={onDone}>
          {texts.done}
        </button>
        <span class="small">{outcome}</span>
      </p>
    </section>
  );
}
