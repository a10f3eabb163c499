import { useState } from 'preact/hooks';
import type { Product } from '../../../../../build/client.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Select } from '../../components/select.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { usePreview } from '../../components/use-preview.ts';
import { texts } from './products-texts.ts';

type Version = 'live' | 'pending';

/** Shows the page of a product as buyers would see it. */
export function ProductPreview({ product: { id, pending } }: { product: Product }) {
  const [version, setVersion] = useState<Version>('pending');
  const { address, show, sending, failure } = usePreview('createProductPreview', id);
  const shown = pending ? version : 'live';
  return (
    <section class="card">
      <h2>{texts.preview}</h2>
      <p>{texts.previewText}</p>
      <form
        data-target={id}
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending) void show(shown);
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
      {failure && <FailureNotice failure={failure} notDone={texts.notPreviewed} onRetry={() => void show(shown)} />}
    </section>
  );
}
