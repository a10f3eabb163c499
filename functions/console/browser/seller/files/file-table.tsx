import type { ProductFile } from '../../../../../build/client.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { State } from '../../components/state.tsx';
import { Due, When } from '../../components/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { isWithdrawable, obstacleOf } from './file-facts.ts';
import { texts } from './files-texts.ts';

/** Files of one purpose: how each stands, and what can be done about it. `titleId` has the focus once one was taken back. */
export function FileTable({
  label,
  titleId,
  files,
  pictures,
}: {
  label: string;
  titleId: string;
  files: readonly ProductFile[];
  pictures?: ReadonlyMap<string, string>;
}) {
  return (
    <DataTable
      label={label}
      rows={files}
      columns={[
        { name: texts.file, of: (file) => <FileName file={file} picture={pictures?.get(file.id)} /> },
        { name: texts.review, of: (file) => <Review file={file} /> },
        { name: texts.hash, of: (file) => file.uploaded_at && <State of="hash" value={file.hash_status} /> },
        { name: texts.scan, of: (file) => file.uploaded_at && <State of="scan" value={file.scan_status} /> },
        { name: texts.visibility, of: ({ status, visibility }) => status === 'approved' && wordOf('visibility', visibility) },
        { name: texts.withdraw, of: (file) => isWithdrawable(file) && <Withdraw file={file} titleId={titleId} /> },
      ]}
    />
  );
}

function FileName({ file, picture }: { file: ProductFile; picture: string | undefined }) {
  const { file_name, size_bytes, sha256_hex } = file;
  return (
    <>
      {picture && <img class="thumb" src={picture} alt="" loading="lazy" />}
      <SellerText text={file_name} />
      <small class="second">{formatBytes(size_bytes)}</small>
      <Obstacles file={file} />
      {sha256_hex && (
        <details class="small">
          <summary>SHA-256</summary>
          <code>{sha256_hex}</code>
        </details>
      )}
    </>
  );
}

/** What went wrong, and what to do. What somebody wrote about it comes first. */
function Obstacles({ file }: { file: ProductFile }) {
  const obstacle = obstacleOf(file);
  if (!obstacle) return null;
  const faults: Readonly<Record<string, string>> = texts.pictureFaults;
  const found = obstacle === 'infected' ? file.scan_result_summary : obstacle === 'turned_down' && file.rejected_reason;
  return (
    <small class="second">
      {obstacle === 'no_picture' && faults[file.hash_error ?? '']} {texts.obstacles[obstacle]}
      {found && (
        <>
          {' '}
          {texts.reason} <SellerText text={found} />
        </>
      )}
    </small>
  );
}

function Review({ file: { status, review_due_at: due, approved_at, rejected_at } }: { file: ProductFile }) {
  const at = status === 'approved' ? approved_at : status === 'rejected' ? rejected_at : undefined;
  return (
    <>
      <State of="file" value={status} />
      <small class="second">
        {due && <Due at={due} />}
        {at && <When at={at} />}
      </small>
    </>
  );
}

function Withdraw({ file: { id, product_id, file_name, status }, titleId }: { file: ProductFile; titleId: string }) {
  return (
    <AskFirst
      operation="withdrawProductFile"
      args={() => ({ path: { product_id, file_id: id } })}
      target={id}
      ask={texts.withdraw}
      label={`${texts.withdraw}: ${file_name}`}
      title={texts.withdrawTitle}
      notDone={texts.notWithdrawn}
      said={texts.withdrawn(file_name)}
      focusAfter={titleId}
    >
      <p>
        <SellerText text={file_name} />
      </p>
      <p>{status === 'approved' ? texts.withdrawText.offered : texts.withdrawText.waiting}</p>
    </AskFirst>
  );
}
