import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** The value of a store, drawn anew when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const follow = () => setValue(() => store.get());
    // It may have changed between drawing and now.
    follow();
    return store.subscribe(follow);
  }, [store]);
  return value;
}
