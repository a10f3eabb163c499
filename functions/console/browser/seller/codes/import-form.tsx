import { useState } from 'preact/hooks';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import { ApiFailure } from '../../api/failure.ts';
import { useSend } from '../../api/sends.ts';
import { announce } from '../../components/live.tsx';
import { FileField } from '../../fields/file-field.tsx';
import type { Fault } from '../../forms/faults.ts';
import { Form } from '../../forms/form.tsx';
import { useForm } from '../../forms/form-context.ts';
import { useEdit } from '../../forms/use-edit.ts';
import { texts } from './codes-texts.ts';

/** What the interface takes at once. */
const maxBytes = 4 * 1024 ** 2;

/** A list of codes as it was when it was chosen: under its key it is imported once, however often it is sent. */
interface Chosen {
  key: string;
  name: string;
  size: number;
  /** Undefined where it cannot be read. */
  content: Promise<ArrayBuffer | undefined>;
}

const nothing = { file: '' };

/** Imports codes from a file. */
export function ImportForm({ productId }: { productId: string }) {
  const [chosen, setChosen] = useState<Chosen>();
  const [unread, setUnread] = useState<ApiFailure>();
  /** How many files were imported: the control of the next holds none yet. */
  const [imported, setImported] = useState(0);
  // Its key makes it safe to send a file again, as a revision does elsewhere.
  const edit = useEdit({ key: `codes:${productId}`, base: nothing, revision: 0, draft: false });
  const { send, failure, forget } = useSend('importCodes', {
    done({ total_rows }) {
      announce(texts.taken(total_rows));
      setChosen(undefined);
      setImported(imported + 1);
    },
  });

  function choose([file]: readonly File[]) {
    forget();
    setUnread(undefined);
    setChosen(
      file && {
        key: crypto.randomUUID(),
        name: file.name,
        size: file.size,
        content: file.size > maxBytes ? Promise.resolve(undefined) : file.arrayBuffer().catch(() => undefined),
      },
    );
    edit.set('file', file?.name ?? '');
  }

  async function sendChosen({ key, name, content }: Chosen) {
    setUnread(undefined);
    const bytes = await content;
    if (!bytes) {
      forget();
      return setUnread(new ApiFailure({ code: 'file_changed' }));
    }
    const body = new FormData();
    body.set('idempotency_key', key);
    body.set('file', new Blob([bytes], { type: 'text/csv' }), name);
    return send({ path: { product_id: productId }, body });
  }
  return (
    <section class="card">
      <h2>{texts.import}</h2>
      <Form
        operation="importCodes"
        target={productId}
        edit={edit}
        asks
        submit={texts.import}
        notDone={texts.notImported}
        failure={unread ?? failure}
        check={() => faultsOf(chosen)}
        onSend={async () => (chosen && (await sendChosen(chosen)) ? { values: nothing } : undefined)}
      >
        <CodesFile key={imported} onFiles={choose} />
      </Form>
    </section>
  );
}

function faultsOf(chosen: Chosen | undefined): Fault[] {
  if (!chosen || chosen.size === 0) return [{ field: 'file', text: fault(rules.notChosen) }];
  return chosen.size > maxBytes ? [{ field: '', text: texts.fileHint }] : [];
}

function CodesFile({ onFiles }: { onFiles: (files: File[]) => void }) {
  const form = useForm();
  form.fields.set('file', { label: texts.file });
  return <FileField id={`${form.id}-file`} label={texts.file} hint={texts.fileHint} accept=".csv,text/csv" onFiles={onFiles} />;
}
