import { evaluate, PolicyError, type PolicyKind, readPolicy } from '../../../infra/local/access/policy-evaluation.ts';
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

/** How IAM would decide, or why it would not take the policies. */
export function verdict({ principal, action, resource, context = {}, identity = [], policy = [] }: Call): string {
  const isService = principal.endsWith('.amazonaws.com');
  const known = { 'aws:SecureTransport': 'true', ...(isService && { 'aws:SourceAccount': account }), ...context };
  try {
    return evaluate({ principal, action, resource, context: known }, read(identity, 'identity'), read(policy, 'resource'));
  } catch (error) {
    if (error instanceof PolicyError) return error.message;
    throw error;
  }
}

export const isAllowed = (call: Call): boolean => verdict(call) === 'Allowed';

const read = (statements: readonly Statement[], kind: PolicyKind) => readPolicy({ Version: '2012-10-17', Statement: statements }, kind);
