import type { Json } from './identifiers.ts';
import type { Service } from './service.ts';
import type { SynthesizedStack } from './stacks-at.ts';

/** Does to templates what someone did by mistake. */
export type Plant = (stacks: SynthesizedStack[]) => void;

interface Rule {
  /** What a service breaks of it: a sentence for each place. */
  faults: (service: Service) => readonly string[];
  /** Mistakes that break it. */
  mistakes: Readonly<Record<string, Plant>>;
}

/** Rules by what holds for a service that breaks none of them. */
export type Rules = Readonly<Record<string, Rule>>;

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

/** What is at a path such as `Targets.0.Arn` of a resource is something else; without a value it is gone. */
export const set =
  (type: string, id: RegExp, path: string, value?: unknown): Plant =>
  (stacks) => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce((part, name) => part[name], find(stacks, type, id).resource.Properties);
    if (!(last in holder) && value === undefined) throw new Error(`${type} has no ${path}.`);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  };

/** One resource is not there. */
export const remove =
  (type: string, id = /./): Plant =>
  (stacks) => {
    const found = find(stacks, type, id);
    delete found.stack.template.Resources[found.id];
  };

/** A policy says nothing of an action. */
export const without = (type: string, id: RegExp, action: string): Plant =>
  change(type, id, ({ PolicyDocument }) => {
    PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Action }: Json) => ![Action].flat().includes(action));
  });
