import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Fault } from '../forms/faults.ts';
import { formContext, type Known } from '../forms/form-context.ts';
import type { Edit } from '../forms/use-edit.ts';

/** Fields in a dialog, which is sent by a press of its confirming button and never by the form itself. */
export function DialogFields({
  id,
  edit,
  faults = [],
  children,
}: {
  id: string;
  edit: Edit;
  faults?: readonly Fault[];
  children: ComponentChildren;
}) {
  const fields = useRef(new Map<string, Known>()).current;
  return <formContext.Provider value={{ id, edit, faults, fields }}>{children}</formContext.Provider>;
}
