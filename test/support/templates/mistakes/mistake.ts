import type { Json } from '../json.ts';
import type { SynthesizedStack } from '../stacks-at.ts';

/** Does to templates what someone did by mistake. */
export type Plant = (stacks: SynthesizedStack[]) => void;

/** Mistakes of the kind that people make, by the rule that they break. */
export type Mistakes = Readonly<Record<string, Readonly<Record<string, Plant>>>>;

/** The first resource of a type whose logical id matches. @throws Error when there is none */
export function find(stacks: readonly SynthesizedStack[], type: string, id = /./): { id: string; stack: SynthesizedStack; resource: Json } {
  for (const stack of stacks) {
    for (const [logicalId, resource] of Object.entries(stack.template.Resources)) {
      if (resource.Type === type && id.test(logicalId)) return { id: logicalId, stack, resource };
    }
  }
  throw new Error(`No template has a ${type} like ${id}.`);
}

/** A change of the properties of one resource. */
export const change =
  (type: string, id: RegExp, edit: (properties: Json) => void): Plant =>
  (stacks) =>
    edit(find(stacks, type, id).resource.Properties);

/** What is at a path such as `Targets.0.Arn` below `Properties` is something else; without a value it is gone. */
export const set = (type: string, id: RegExp, path: string, value?: unknown): Plant =>
  change(type, id, (properties) => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce((part, name) => part[name], properties);
    if (!(last in holder) && value === undefined) throw new Error(`${type} has no ${path}.`);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  });

/** One resource is not there. */
export const remove =
  (type: string, id = /./): Plant =>
  (stacks) => {
    const found = find(stacks, type, id);
    delete found.stack.template.Resources[found.id];
  };

/** The statements of a policy are those that are kept. */
export const keep = (type: string, id: RegExp, isKept: (statement: Json) => boolean): Plant =>
  change(type, id, ({ PolicyDocument }) => {
    const kept = PolicyDocument.Statement.filter(isKept);
    if (kept.length === PolicyDocument.Statement.length) throw new Error(`${id} has no such statement.`);
    // A policy without statements is refused; this one says nothing.
    const [first] = PolicyDocument.Statement;
    PolicyDocument.Statement = kept.length > 0 ? kept : [{ ...first, Condition: { Bool: { 'aws:SecureTransport': 'maybe' } } }];
  });
