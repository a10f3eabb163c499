import type { ComponentChildren } from 'preact';

/** Why there is nothing, and the one next step. */
export function Empty({ text, next }: { text: string; next?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {next && <p>{next}</p>}
    </div>
  );
}
