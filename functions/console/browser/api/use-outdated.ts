import { useEffect } from 'preact/hooks';
import type { ApiFailure } from './failure.ts';
import { refresh } from './reads.ts';

/** What became something else, so that it cannot be changed or moved as was asked, is read again. */
export function useOutdated(failure: ApiFailure | undefined): void {
  useEffect(() => {
    if (
      failure &&
      /^(stale_re.*|release_state_conflict|release_not_found|version_taken|invalid_state_transition|product_suspended)$/.test(failure.code)
    )
      void refresh();
  }, [failure]);
}
