import { formatAgo, formatDue, formatTime, formatWholeTime } from '../words/formats.ts';

/** A moment in the reader's zone; `ago` for how far it is from now. The whole of it, with the zone, comes up at a pointer. */
export function When({ at, ago = false }: { at: string; ago?: boolean }) {
  return (
    <time dateTime={at} title={formatWholeTime(at)}>
      {ago ? formatAgo(at, Date.now()) : formatTime(at)}
    </time>
  );
}

/** Until when something is to be done, and whether that is over. */
export function Due({ at }: { at: string }) {
  const { text, overdue } = formatDue(at, Date.now());
  return (
    <time dateTime={at} title={formatWholeTime(at)} class={overdue ? 'state bad' : undefined}>
      {text}
    </time>
  );
}
