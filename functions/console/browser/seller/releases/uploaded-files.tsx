import { useEffect, useRef } from 'preact/hooks';
import type { ProductFile, Release } from '../../../../../build/client.ts';
import type { List } from '../../api/reads.ts';
import { FileField } from '../../forms/file-field.tsx';
import { config } from '../../frame/config.ts';
import { announce } from '../../frame/live.tsx';
import { AskFirst } from '../../parts/ask-first.tsx';
import { type Column, DataTable, More } from '../../parts/data-table.tsx';
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
  useCheckNews(usable);

  const withdrawal: Column<ProductFile> = {
    name: say.withdraw,
    of: ({ id, file_name }) =>
      !versions.has(id) && (
        <AskFirst
          operation="withdrawProductFile"
          args={() => ({ path: { product_id: productId, file_id: id } })}
          target={id}
          ask={say.withdraw}
          label={`${say.withdraw}: ${file_name}`}
          title={say.withdrawTitle(file_name)}
          said={say.withdrawn(file_name)}
          focusAfter="uploaded"
        >
          <p>{say.withdrawText}</p>
        </AskFirst>
      ),
  };
  return (
    <section class="stack">
      <h2 id="uploaded" tabIndex={-1}>
        {say.uploaded}
      </h2>
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
              ...(usable.some(({ id }) => !versions.has(id)) ? [withdrawal] : []),
            ]}
          />
          <p class="small">{say.unused}</p>
          <More of={files} />
        </>
      )}
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
