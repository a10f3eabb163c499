import * as z from 'zod/mini';
import { nameResources } from '../../../infra/local/access/name-resources.ts';
import { nameBuckets } from '../../../infra/local/engines/provision.ts';
import { account, region } from '../../../infra/local/references.ts';
import { localName, readSynthesizedApp } from '../../../infra/local/template.ts';
import type { Synthesized } from '../synthesized.ts';

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string[];
  Resource: string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

export interface RolePolicy {
  Version: string;
  Statement: Statement[];
}

const PolicyDocument = z.object({ Version: z.string(), Statement: z.array(z.any()) });
const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/**
 * The policies of the functions' roles, by the name of the function, and of the table, with every reference
 * resolved as the local stack resolves it. Whatever the stage, resources are named as at stage `local`, so that
 * rights can be compared with what the local stack recorded.
 */
export function readRolePolicies({ assembly }: Pick<Synthesized, 'assembly'>) {
  const app = readSynthesizedApp(assembly.directory);
  for (const queue of app.ofType('AWS::SQS::Queue')) {
    app.setMade(queue, { ref: localName(queue), attributes: { Arn: arnOf('sqs', localName(queue)) } });
  }
  const [table] = app.ofType('AWS::DynamoDB::GlobalTable');
  if (!table) throw new Error('There is no table.');
  const name = localName(table);
  const Arn = arnOf('dynamodb', `table/${name}`);
  app.setMade(table, { ref: name, attributes: { Arn, StreamArn: `${Arn}/stream/local` } });
  nameBuckets(app, []);
  nameResources(app, 'licenses@example.com');

  const asLocal = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(/\blicense-service([-/])(staging|production)\b/g, 'license-service$1local'));
  const statementsIn = ({ Statement }: z.infer<typeof PolicyDocument>): Statement[] =>
    asLocal(Statement).map((one) => ({ ...one, Action: [one.Action].flat(), Resource: [one.Resource].flat() }));

  const attached = app
    .ofType('AWS::IAM::Policy')
    .map((policy) => app.read(policy, z.object({ PolicyDocument, Roles: z.array(z.string()) })));
  const Inline = z._default(z.array(z.object({ PolicyDocument })), []);
  const roleBy = new Map(app.ofType('AWS::IAM::Role').map((role) => [app.madeOf(role).attributes['Arn'], role]));
  const policyOf = (roleArn: string): RolePolicy => {
    const role = roleBy.get(roleArn);
    if (!role || role.properties['ManagedPolicyArns']) throw new Error(`${roleArn} has policies that are not in the templates.`);
    const ofRole = attached.filter(({ Roles }) => Roles.includes(app.madeOf(role).ref));
    const { Policies } = app.read(role, z.object({ Policies: Inline }));
    return { Version: '2012-10-17', Statement: [...ofRole, ...Policies].flatMap((policy) => statementsIn(policy.PolicyDocument)) };
  };
  const own = app
    .ofType('AWS::Lambda::Function')
    .map((resource) => app.read(resource, z.object({ Description: z._default(z.string(), ''), Role: z.string() })))
    .filter(({ Description }) => Description.startsWith('license-service '));
  const roles = new Map(own.map(({ Description, Role }) => [Description.replace('license-service ', ''), policyOf(Role)]));
  const { Replicas } = app.read(table, z.object({ Replicas: z.array(z.any()) }));
  return { roles, tableArn: asLocal(Arn), tablePolicy: Replicas[0]?.ResourcePolicy?.PolicyDocument as unknown };
}
