import { useState } from 'preact/hooks';
import { announce } from './live.tsx';
import { texts } from './parts-texts.ts';

/** A secret that is shown this once: in no draft, no address and no read, so it is gone with the screen. */
export function Secret({ label, value, onDone }: { label: string; value: string; onDone: () => void }) {
  const [outcome, setOutcome] = useState('');
  async function copy(): Promise<void> {
    const text = await navigator.clipboard.writeText(value).then(
      () => texts.copied,
      () => texts.notCopied,
    );
    setOutcome(text);
    announce(text);
  }
  return (
    <section class="notice" aria-label={label}>
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
