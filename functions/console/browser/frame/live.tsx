import { createStore } from './store.ts';
import { useStore } from './use-store.ts';

const said = createStore({ text: '', count: 0 });

/** Has screen readers say something that changed out of sight of the focus. */
export function announce(text: string): void {
  said.set({ text, count: said.get().count + 1 });
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
