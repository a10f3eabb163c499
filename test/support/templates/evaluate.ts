import { runSimulation } from '@cloud-copilot/iam-simulate';
import { account } from './identifiers.ts';
import type { Statement } from './service.ts';

export interface Call {
  /** The ARN of a role, or a service. */
  principal: string;
  action: string;
  resource: string;
  context?: Record<string, string | string[]>;
  identity?: readonly Statement[];
  /** The policy of the resource; without one, the owner's account decides alone. */
  policy?: readonly Statement[];
}

/** `Allowed`, why not, or what is no call at all: an action that does not exist, or not on such a resource. */
export async function verdict(call: Call): Promise<string> {
  const result = await simulate(call);
  return result.resultType === 'error' ? JSON.stringify(result.errors) : result.overallResult;
}

/** Keys of the context that the action never comes with. */
export async function ignoredKeys(call: Call): Promise<readonly string[]> {
  const result = await simulate(call);
  return result.resultType === 'single' ? (result.result.ignoredContextKeys ?? []) : [];
}

export const isAllowed = async (call: Call) => (await verdict(call)) === 'Allowed';

/** By their calls, of which a planted mistake changes few. */
const known = new Map<string, ReturnType<typeof runSimulation>>();

function simulate(call: Call) {
  const key = JSON.stringify(call);
  const result = known.get(key) ?? simulateOnce(call);
  known.set(key, result);
  return result;
}

function simulateOnce({ principal, action, resource, context = {}, identity = [], policy }: Call) {
  const document = (statements: readonly Statement[]) => ({ Version: '2012-10-17', Statement: statements });
  const isService = principal.endsWith('.amazonaws.com');
  return runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource, accountId: account },
        contextVariables: { 'aws:SecureTransport': 'true', ...(isService && { 'aws:SourceAccount': account }), ...context },
      },
      identityPolicies: identity.length > 0 ? [{ name: 'role', policy: document(identity) }] : [],
      resourcePolicy: policy && policy.length > 0 ? document(policy) : undefined,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
}
