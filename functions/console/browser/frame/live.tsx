import { useEffect, useRef } from 'preact/hooks';
import { say } from './frame-texts.ts';
import { createStore } from './store.ts';
import { useStore } from './use-store.ts';

const said = createStore({ text: '', count: 0 });

/** Has screen readers say something that changed out of sight of the focus. */
export function announce(text: string): void {
  said.set({ text, count: said.get().count + 1 });
}

/** Has them say that something was done, by what its button says. */
export const announceDone = (label: string): void => announce(`${label}: ${say.done}`);

/** Has them say what changed by itself while somebody looked at it: of words by names, those that were others before. */
export function useNews(told: Readonly<Record<string, string>> | undefined): void {
  const before = useRef(told);
  useEffect(() => {
    const news = Object.entries(told ?? {}).filter(([name, words]) => (before.current?.[name] ?? words) !== words);
    if (news.length > 0) announce(news.map(([, words]) => words).join('. '));
    before.current = told ?? before.current;
  }, [JSON.stringify(told)]);
}

/** Where it is said: there from the beginning, or it would not be heard. */
export function LiveRegion() {
  const { text, count } = useStore(said);
  // A sentence that is said twice is another node, or it would be heard once.
  return (
    <div class="visually-hidden" role="status">
      <span key={count}>{text}</span>
    </div>
  );
}
