import { isAllowed } from './evaluate.ts';
import { account } from './identifiers.ts';
import { type Resource, type Service, type Statement, statementsOf } from './service.ts';

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
  return isAllowed({ principal, action, resource, context, policy });
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
