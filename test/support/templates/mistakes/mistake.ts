import type { Json } from '../json.ts';
import type { SynthesizedStack } from '../stacks-at.ts';

/** A mistake in the templates, of the kind that people make. */
export interface Mistake {
  /** What someone did. */
  mistake: string;
  /** The rule that it breaks. */
  breaks: string;
  plant(stacks: SynthesizedStack[]): void;
}

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
  (type: string, id: RegExp, edit: (properties: Json) => void): Mistake['plant'] =>
  (stacks) =>
    edit(find(stacks, type, id).resource.Properties);

/** One resource is not there. */
export const remove =
  (type: string, id = /./): Mistake['plant'] =>
  (stacks) => {
    const found = find(stacks, type, id);
    delete found.stack.template.Resources[found.id];
  };

/** One action is not in the policy of a role any more. */
export const revoke = (role: RegExp, action: string): Mistake['plant'] =>
  change('AWS::IAM::Policy', role, ({ PolicyDocument }) => {
    const found = PolicyDocument.Statement.filter((statement: Json) => [statement.Action].flat().includes(action));
    if (found.length === 0) throw new Error(`Nothing like ${role} allows ${action}.`);
    PolicyDocument.Statement = PolicyDocument.Statement.flatMap((statement: Json) => {
      const Action = [statement.Action].flat().filter((each) => each !== action);
      return Action.length > 0 ? [{ ...statement, Action }] : [];
    });
  });
