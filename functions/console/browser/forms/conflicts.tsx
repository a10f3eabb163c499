import type { RefObject } from 'preact';
import { SellerText } from '../text/seller-text.tsx';
import type { Choice } from './edit-state.ts';
import { type Known, shown } from './form-context.ts';
import type { Edit } from './use-edit.ts';
import type { Values } from './values.ts';
import { texts } from './words.ts';

const choices: readonly Choice[] = ['base', 'theirs', 'mine'];

/** The fields that somebody else changed too, each with what it was, what they made of it, and what was typed here. */
export function Conflicts<V extends Values>({
  edit,
  fields,
  top,
}: {
  edit: Edit<V>;
  fields: ReadonlyMap<string, Known>;
  top: RefObject<HTMLDivElement>;
}) {
  return (
    <div class="notice warn">
      <div ref={top} role="alert" tabIndex={-1} data-error="stale_revision">
        <p class="title">{texts.conflictTitle}</p>
        <p>{texts.conflictLead}</p>
      </div>
      {edit.conflicts.map((conflict) => {
        const { field, choice: chosen } = conflict;
        return (
          <fieldset key={field} data-conflict={field}>
            <legend>{fields.get(field)?.label ?? field}</legend>
            {choices.map((choice) => (
              <button
                key={choice}
                type="button"
                class="choice"
                data-choice={choice}
                aria-pressed={choice === chosen}
                onClick={() => edit.choose(field, choice)}
              >
                <span class="title">
                  {texts.sides[choice]}
                  {choice === chosen && texts.chosen}
                </span>
                <span class="value">
                  <SellerText text={shown(conflict[choice], fields.get(field))} multiline />
                </span>
              </button>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
