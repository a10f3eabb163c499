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

type Resource = { Type: string; Properties: any };
const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

export const [region, account] = ['us-east-1', '000000000000'];
const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
const pseudoParameters: Record<string, string> = { 'AWS::Region': region, 'AWS::AccountId': account, 'AWS::Partition': 'aws' };

/** What references to a resource become where each is named for its id in the template, as on the local stack. */
function namesOf(name: string, { Type, Properties }: Resource): Record<string, string> {
  switch (Type) {
    case 'AWS::DynamoDB::GlobalTable':
      return { Ref: name, Arn: arnOf('dynamodb', `table/${name}`), StreamArn: arnOf('dynamodb', `table/${name}/stream/local`) };
    case 'AWS::SQS::Queue':
      return { Arn: arnOf('sqs', name) };
    case 'AWS::S3::Bucket':
      return { Ref: name.toLowerCase(), Arn: `arn:aws:s3:::${name.toLowerCase()}` };
    case 'AWS::Logs::LogGroup':
      return { Ref: name, Arn: arnOf('logs', `log-group:${name}:*`) };
    case 'AWS::SecretsManager::Secret':
      return { Ref: arnOf('secretsmanager', `secret:${Properties.Name ?? name}-local0`) };
    default:
      return { Ref: name };
  }
}

/**
 * The policies of the functions' roles, by the name of the function, and of the table, with every reference
 * resolved. Whatever the stage, resources are named as at stage `local`, so that rights can be compared with
 * what the local stack recorded.
 */
export function readRolePolicies({ stacks, templates }: Pick<Synthesized, 'stacks' | 'templates'>) {
  const asLocal = (text: string) => text.replace(/\blicense-service([-/])(staging|production)\b/g, 'license-service$1local');
  const documents = (['data', 'api', 'workers'] as const).map((part) => {
    const { Resources, Outputs = {} } = templates[part].toJSON() as { Resources: Record<string, Resource>; Outputs?: Record<string, any> };
    return { stack: stacks[part].stackName, resources: Resources, outputs: Object.values(Outputs) };
  });

  function resolve(value: any, stack: string): any {
    if (Array.isArray(value)) return value.map((element) => resolve(element, stack));
    if (value === null || typeof value !== 'object') return value;
    const [[name, argument] = ['', undefined]] = Object.entries<any>(value);
    if (name === 'Ref') return pseudoParameters[argument] ?? referTo(stack, argument, 'Ref');
    if (name === 'Fn::GetAtt') return referTo(stack, argument[0], argument[1]);
    if (name === 'Fn::Join') return resolve(argument[1], stack).join(argument[0]);
    if (name === 'Fn::ImportValue') return resolveExport(resolve(argument, stack));
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, resolve(field, stack)]));
  }

  function referTo(stack: string, id: string, attribute: string): string {
    const resource = documents.find((document) => document.stack === stack)?.resources[id];
    const found = resource && namesOf(`${stack}-${id}`, resource)[attribute];
    if (found === undefined) throw new Error(`${attribute} of ${stack}.${id} is not known here.`);
    return asLocal(found);
  }

  function resolveExport(name: string): string {
    for (const { stack, outputs } of documents) {
      const output = outputs.find(({ Export }) => Export?.Name === name);
      if (output) return resolve(output.Value, stack);
    }
    throw new Error(`No stack exports ${name}.`);
  }

  const policyOf = (document: any, stack: string): RolePolicy => {
    const { Version, Statement } = resolve(document, stack);
    const statements = list<any>(Statement).map((one) => ({ ...one, Action: list(one.Action), Resource: list(one.Resource) }));
    return { Version, Statement: statements };
  };

  const roles = new Map<string, RolePolicy>();
  for (const { stack, resources } of documents) {
    for (const { Type, Properties } of Object.values(resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const roleId = Properties.Role['Fn::GetAtt'][0];
      const attached = Object.values(resources).filter(
        (other) => other.Type === 'AWS::IAM::Policy' && other.Properties.Roles.some((role: any) => role.Ref === roleId),
      );
      const inline = (resources[roleId]?.Properties.Policies ?? []).map((policy: any) => policy.PolicyDocument);
      const all = [...attached.map((policy) => policy.Properties.PolicyDocument), ...inline].map((document) => policyOf(document, stack));
      if (resources[roleId]?.Properties.ManagedPolicyArns) throw new Error(`${roleId} has policies that are not in the templates.`);
      roles.set(Properties.Description.replace('license-service ', ''), {
        Version: '2012-10-17',
        Statement: all.flatMap(({ Statement }) => Statement),
      });
    }
  }

  const [data] = documents;
  const [tableId = '', table] = Object.entries(data?.resources ?? {}).find(([, { Type }]) => Type === 'AWS::DynamoDB::GlobalTable') ?? [];
  const [replica] = table?.Properties.Replicas ?? [];
  return {
    roles,
    tableArn: referTo(data?.stack ?? '', tableId, 'Arn'),
    tablePolicy: replica?.ResourcePolicy?.PolicyDocument as unknown,
  };
}
