import { useSend } from '../../api/sends.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { announce } from '../../components/live.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { State } from '../../components/state.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { texts } from './decisions-texts.ts';
import { isRescannable, type ReviewedFile } from './reviewed-file.ts';

/** What was found out about a file's bytes: its hash, and what a scanner or an admin says of it, which may be asked again. */
export function FileChecks({ file, own }: { file: ReviewedFile; own: boolean }) {
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
        {!own && <RescanFile file={file} />}
      </li>
    </ul>
  );
}

const Told = ({ text }: { text: string }) => (
  <small>
    <SellerText text={text} />{' '}
  </small>
);

function RescanFile({ file }: { file: ReviewedFile }) {
  const { product_id, file_id, filename } = file;
  const { send, sending, failure } = useSend('rescanProductFile', { done: () => announce(texts.rescanned(filename)) });
  return (
    <>
      {isRescannable(file) && (
        <SendButton
          operation="rescanProductFile"
          target={file_id}
          sending={sending}
          kind="quiet"
          label={texts.rescanOf(filename)}
          onPress={() => void send({ path: { product_id, file_id } })}
        >
          {texts.rescan}
        </SendButton>
      )}
      {failure && <FailureNotice failure={failure} notDone={texts.notRescanned} />}
    </>
  );
}

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
