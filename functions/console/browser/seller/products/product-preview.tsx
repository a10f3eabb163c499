import { useState } from 'preact/hooks';
import type { Product } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { openTab } from '../../components/open-beside.ts';
import { Select } from '../../components/select.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { texts } from './products-texts.ts';

type Version = 'live' | 'pending';

/** Shows the page of a product as buyers would see it. */
export function ProductPreview({ product: { id, pending } }: { product: Product }) {
  const [version, setVersion] = useState<Version>('pending');
  const [address, setAddress] = useState<string>();
  const { send, sending, failure } = useSend('createProductPreview');
  const shown = pending ? version : 'live';

  async function open(): Promise<void> {
    const tab = openTab();
    const made = await send({ path: { product_id: id }, body: { version: shown } });
    setAddress(made?.preview_url);
    tab.lead(made?.preview_url);
  }
  return (
    <section class="card">
      <h2>{texts.preview}</h2>
      <p>{texts.previewText}</p>
      <form
        data-target={id}
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending) void open();
        }}
      >
        {pending && (
          <Select
            name="version"
            label={texts.previewVersion}
            value={version}
            options={[
              ['pending', texts.versions.pending],
              ['live', texts.versions.live],
            ]}
            onChange={(value) => setVersion(value === 'live' ? 'live' : 'pending')}
          />
        )}
        <SendButton operation="createProductPreview" target={id} sending={sending} kind="quiet">
          {texts.preview}
        </SendButton>
        {address && (
          <a href={address} target="_blank" rel="noopener">
            {texts.openPreview}
          </a>
        )}
      </form>
      {failure && <FailureNotice failure={failure} notDone={texts.notPreviewed} onRetry={() => void open()} />}
    </section>
  );
}
