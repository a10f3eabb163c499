import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProductFile, Release } from '../../../../../build/client.ts';
import type { List } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { FileField } from '../../forms/file-field.tsx';
import { config } from '../../frame/config.ts';
import { announce } from '../../frame/live.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { State } from '../../parts/state.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { Uploads } from '../../uploads/upload-list.tsx';
import { startUpload } from '../../uploads/uploads.ts';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { checkOf, usableFiles, versionsByFile } from './release-files.ts';
import { say } from './release-texts.ts';

/** Where files for releases come from, and how their checks stand. */
export function UploadedFiles(props: { release: Release; releases: readonly Release[]; files: List<ProductFile> }) {
  const { release, releases, files } = props;
  const productId = release.product_id;
  const versions = versionsByFile([...releases, release]);
  const usable = usableFiles(files.body ?? []);
  const [leaving, setLeaving] = useState<ProductFile>();
  const { send, sending, failure, forget } = useSend('withdrawProductFile', { done: close });
  useCheckNews(usable);

  function close() {
    forget();
    setLeaving(undefined);
  }

  return (
    <section class="stack">
      <h2>{say.uploaded}</h2>
      <FileField
        label={say.upload}
        hint={say.hints.upload}
        multiple
        forgets
        onFiles={(chosen) => {
          const maxBytes = config.get()?.limits.max_file_bytes;
          for (const file of chosen) startUpload({ productId, purpose: 'release', file, ...(maxBytes && { maxBytes }) });
        }}
      />
      <Uploads productId={productId} purpose="release" onEnd={files.again} />
      {usable.length > 0 && (
        <>
          <DataTable
            label={say.uploaded}
            rows={usable}
            idOf={({ id }) => id}
            columns={[
              { name: say.fields.file_id, of: ({ file_name }) => <SellerText text={file_name} /> },
              { name: say.checks, of: (file) => <Check file={file} /> },
              { name: say.usedIn, of: ({ id }) => versions.get(id) ?? say.nothing },
              { name: say.size, of: ({ size_bytes }) => formatBytes(size_bytes), number: true },
              {
                name: say.withdraw,
                of: (file) =>
                  versions.has(file.id) ? null : (
                    <button type="button" class="button small quiet" onClick={() => setLeaving(file)}>
                      {say.withdraw} <span class="visually-hidden">{file.file_name}</span>
                    </button>
                  ),
              },
            ]}
          />
          <p class="small">{say.unused}</p>
          <More of={files} />
        </>
      )}
      <ConfirmDialog
        operation="withdrawProductFile"
        target={leaving?.id ?? ''}
        title={say.withdraw}
        confirm={say.withdraw}
        kind="danger"
        open={leaving !== undefined}
        sending={sending}
        failure={failure}
        onConfirm={() => leaving && void send({ path: { product_id: productId, file_id: leaving.id } })}
        onClose={close}
      >
        <p>{say.withdrawText(leaving?.file_name ?? '')}</p>
      </ConfirmDialog>
    </section>
  );
}

function Check({ file }: { file: ProductFile }) {
  const [kind, value] = checkOf(file);
  return <State of={kind} value={value} />;
}

/** Says how the check of a file came out while the screen was open. */
function useCheckNews(files: readonly ProductFile[]) {
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    for (const file of files) {
      const now = wordOf(...checkOf(file));
      const was = before.current.get(file.id);
      before.current.set(file.id, now);
      if (was !== undefined && was !== now) announce(`${file.file_name}: ${now}`);
    }
  }, [files]);
}
