import { useId, useRef, useState } from 'preact/hooks';
import type { OperationId } from '../api/call.ts';
import { texts } from '../forms/words.ts';

interface FileFieldProps {
  /** Of its control, where the form knows it by that. */
  id?: string;
  label: string;
  /** What is sent as soon as files are chosen. */
  operation?: OperationId;
  hint?: string;
  accept?: string;
  multiple?: boolean;
  /** Whether the control forgets what it handed on, so that the same file can be chosen again. */
  forgets?: boolean;
  onFiles: (files: File[]) => void;
}

/** Files, chosen or dropped; never part of a draft. */
export function FileField({ id: given, label, operation, hint, accept, multiple = false, forgets = false, onFiles }: FileFieldProps) {
  const own = useId();
  const id = given ?? own;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  function take(chosen: FileList | null | undefined) {
    const files = [...(chosen ?? [])].slice(0, multiple ? undefined : 1);
    onFiles(files);
    if (forgets && input.current) input.current.value = '';
  }

  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      class={isOver ? 'field drop over' : 'field drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer?.files;
        if (!dropped || dropped.length === 0) return;
        if (input.current && (multiple || dropped.length === 1)) input.current.files = dropped;
        take(dropped);
      }}
    >
      <label for={id} id={`${id}-label`}>
        {label}
      </label>
      <p class="hint" id={`${id}-hint`}>
        {hint} {texts.drop}
      </p>
      <input
        ref={input}
        id={id}
        type="file"
        name="file"
        data-operation={operation}
        accept={accept}
        multiple={multiple}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
    </fieldset>
  );
}
