import { useEffect, useRef } from 'preact/hooks';
import { createStore } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';
import { texts } from './parts-texts.ts';

const announcement = createStore({ text: '', count: 0 });

/** Has screen readers say something that changed out of sight of the focus. */
export function announce(text: string): void {
  announcement.set({ text, count: announcement.get().count + 1 });
}

/** Has them say that something was done, by what its button says. */
export const announceDone = (label: string): void => announce(texts.wasDone(label));

/**
 * Has them say what changed by itself while somebody looked at it: of words by names, those that were others before. A name
 * that was not there is news where it comes before those that were.
 */
export function useAnnouncements(sentences: Readonly<Record<string, string>> | undefined): void {
  const before = useRef(sentences);
  useEffect(() => {
    const known = before.current;
    const names = Object.keys(sentences ?? {});
    const firstKnown = names.findIndex((name) => known && name in known);
    const news = names.filter(
      (name, at) => known && (name in known ? known[name] !== sentences?.[name] : firstKnown < 0 || at < firstKnown),
    );
    if (news.length > 0) announce(news.map((name) => sentences?.[name]).join('. '));
    before.current = sentences ?? known;
  }, [JSON.stringify(sentences)]);
}

/** Where it is said: there from the beginning, or it would not be heard. */
export function LiveRegion() {
  const { text, count } = useStore(announcement);
  // A sentence that is said twice is another node, or it would be heard once.
  return (
    <div class="visually-hidden" role="status">
      <span key={count}>{text}</span>
    </div>
  );
}
