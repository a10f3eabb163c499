import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './decisions-texts.ts';
import type { ReviewedFile } from './reviewed-file.ts';

/** What was found out about a file's bytes: its hash, and what a scanner or an admin says of it. */
export function FileChecks({ file }: { file: ReviewedFile }) {
  const { hash_status, hash_error, scan_status, scan_error, scan_result_summary, scan_engine, scan_trust_source } = file;
  return (
    <ul class="plain">
      <li>
        {texts.hash}: <State of="hash" value={hash_status} /> {hash_error && <Told text={wordOf('hash_fault', hash_error)} />}
      </li>
      <li>
        {texts.scan}: <State of="scan" value={scan_status} />{' '}
        {[scan_engine, scan_result_summary, scan_error].map((text) => text && <Told key={text} text={text} />)}
        {scan_trust_source && scan_trust_source !== 'none' && <small>{texts.trusted(wordOf('trust', scan_trust_source))}</small>}
      </li>
    </ul>
  );
}

const Told = ({ text }: { text: string }) => (
  <small>
    <SellerText text={text} />{' '}
  </small>
);

/** Downloads a file for who reviews it, also before any scan. */
export function DownloadFile({ productId, fileId, name }: { productId: string; fileId: string; name: string }) {
  const { send, sending, failure } = useSend('createReviewDownloadIntent', {
    changes: false,
    // The store sends it to be kept, so the screen stays.
    done: ({ download_url }) => location.assign(download_url),
  });
  return (
    <>
      <SendButton
        operation="createReviewDownloadIntent"
        target={fileId}
        sending={sending}
        kind="quiet"
        label={texts.downloadOf(name)}
        onPress={() => void send({ path: { product_id: productId, file_id: fileId } })}
      >
        {texts.download}
      </SendButton>
      {failure && <FailureNotice failure={failure} notDone={texts.notDownloaded} />}
    </>
  );
}
