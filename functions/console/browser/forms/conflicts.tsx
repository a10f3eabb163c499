import type { RefObject } from 'preact';
import { SellerText } from '../text/seller-text.tsx';
import type { Choice, OpenConflict } from './edit-state.ts';
import { type Known, shown } from './form-context.ts';
import type { Edit } from './use-edit.ts';
import type { Values } from './values.ts';
import { texts } from './words.ts';

const choices: readonly Choice[] = ['base', 'theirs', 'mine'];

interface ConflictsProps<V extends Values> {
  edit: Edit<V>;
  fields: ReadonlyMap<string, Known>;
  top: RefObject<HTMLDivElement>;
}

/** The fields that somebody else changed too, each with what it was, what they made of it, and what was typed here. */
export function Conflicts<V extends Values>({ edit, fields, top }: ConflictsProps<V>) {
  return (
    <div class="notice warn">
      <div ref={top} role="alert" tabIndex={-1} data-error="stale_revision">
        <p class="title">{texts.conflictTitle}</p>
        <p>{texts.conflictLead}</p>
      </div>
      {edit.conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.field}
          conflict={conflict}
          known={fields.get(conflict.field)}
          onChoose={(choice) => edit.choose(conflict.field, choice)}
        />
      ))}
    </div>
  );
}

interface ConflictChoiceProps {
  conflict: OpenConflict;
  known: Known | undefined;
  onChoose: (choice: Choice) => void;
}

function ConflictChoice({ conflict, known, onChoose }: ConflictChoiceProps) {
  return (
    <fieldset data-conflict={conflict.field}>
      <legend>{known?.label ?? conflict.field}</legend>
      {choices.map((choice) => {
        const isChosen = conflict.choice === choice;
        return (
          <button key={choice} type="button" class="choice" data-choice={choice} aria-pressed={isChosen} onClick={() => onChoose(choice)}>
            <span class="title">
              {texts.sides[choice]}
              {isChosen && texts.chosen}
            </span>
            <span class="value">
              <SellerText text={shown(conflict[choice], known)} multiline />
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
