import { useState } from 'preact/hooks';
import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { openTab } from '../../components/open-beside.ts';
import { SendButton } from '../../components/send-button.tsx';
import { texts } from './products-texts.ts';

/** Shows the page of a product as its buyers will see it, in a tab of its own beside this one. */
export function Preview({ productId, version, words }: { productId: string; version: 'live' | 'pending'; words: string }) {
  const [address, setAddress] = useState<string>();
  const { send, sending, failure } = useSend('createReviewPreview', { changes: false });
  async function show(): Promise<void> {
    const tab = openTab();
    const reply = await send({ path: { product_id: productId }, body: { version } });
    setAddress(reply?.preview_url);
    tab.lead(reply?.preview_url);
  }
  return (
    <div>
      <SendButton operation="createReviewPreview" target={version} sending={sending} kind="quiet" onPress={() => void show()}>
        {words}
      </SendButton>
      {address && (
        <p class="small">
          <a href={address} target="_blank" rel="noopener noreferrer">
            {texts.openPreview}
          </a>{' '}
          {texts.previewFor}
        </p>
      )}
      {failure && <FailureNotice failure={failure} notDone={texts.notPreviewed} />}
    </div>
  );
}
