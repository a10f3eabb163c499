import { useState } from 'preact/hooks';
import { useSend } from '../api/sends.ts';

/** Shows the page of a product as its buyers would see it, in a tab of its own; where none opens, a link to `address` must do. */
export function usePreview(operation: 'createProductPreview' | 'createReviewPreview', product_id: string) {
  const [address, setAddress] = useState<string>();
  const { send, sending, failure } = useSend(operation, { changes: false });
  async function show(version: 'live' | 'pending'): Promise<void> {
    // Opened by the press itself: later, browsers would think that nobody asked for it.
    const tab = window.open('', '_blank');
    // What it will show has no way back to this tab.
    if (tab) tab.opener = null;
    const made = await send({ path: { product_id }, body: { version } });
    setAddress(made?.preview_url);
    if (made) tab?.location.replace(made.preview_url);
    else tab?.close();
  }
  return { address, show, sending, failure };
}
