import { evaluate, PolicyError, type PolicyKind, readPolicy } from '../../../infra/local/access/policy-evaluation.ts';
import { account } from './identifiers.ts';
import { type Resource, type Service, type Statement, statementsOf } from './service.ts';

interface Call {
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

const read = (statements: readonly Statement[], kind: PolicyKind) => readPolicy({ Version: '2012-10-17', Statement: statements }, kind);

/** Whether a service may hand something to this queue, topic or function on behalf of `source`. */
export function mayDeliver(service: Service, principal: string, target: string, source: string, sourceAccount = account): boolean {
  const context = { 'aws:SourceArn': source, 'aws:SourceAccount': sourceAccount };
  const found = service.at(target);
  const [action, resource, policy] =
    found?.type === 'AWS::SQS::Queue'
      ? ['sqs:SendMessage', found.arn, policyOf(service, 'AWS::SQS::QueuePolicy', 'Queues', found)]
      : found?.type === 'AWS::SNS::Topic'
        ? ['sns:Publish', found.arn, policyOf(service, 'AWS::SNS::TopicPolicy', 'Topics', found)]
        : ['lambda:InvokeFunction', target, permissionsFor(service, target)];
  return verdict({ principal, action, resource, context, policy }) === 'Allowed';
}

/** The policy that is attached to a queue or topic. */
function policyOf({ ofType }: Service, type: string, key: string, { ref }: Resource): Statement[] {
  const policy = ofType(type).findLast(({ properties }) => properties[key]?.includes(ref));
  return statementsOf(policy?.properties.PolicyDocument);
}

/** The function's own policy: what its permissions for this target add up to. */
function permissionsFor({ ofType, at }: Service, target: string): Statement[] {
  return ofType('AWS::Lambda::Permission')
    .filter(({ properties: { FunctionName } }) => (at(FunctionName)?.arn ?? FunctionName) === target)
    .map(({ properties: { Action, Principal, SourceArn } }) => ({
      Effect: 'Allow',
      Principal: { Service: Principal },
      Action: [Action],
      Resource: [target],
      Condition: { ArnLike: { 'aws:SourceArn': SourceArn } },
    }));
}
