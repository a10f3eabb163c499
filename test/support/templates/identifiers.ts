import { specificationOf } from './specification.ts';
import type { Json } from './stacks-at.ts';

export const account = '123456789012';
export const region = 'eu-west-1';

export const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': account,
  'AWS::NoValue': '',
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/stack/1`,
  'AWS::StackName': 'stack',
  'AWS::URLSuffix': 'amazonaws.com',
};

interface Identified {
  type: string;
  name: string;
  properties: Json;
}

/** What differs from the form that the specification has for ARNs, or what it has none for. */
const ownArns: Readonly<Record<string, (resource: Identified) => string>> = {
  'AWS::DynamoDB::GlobalTable': ({ name }) => `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  'AWS::Lambda::Alias': ({ properties }) => `${functionArn(properties.FunctionName)}:${properties.Name}`,
  'AWS::Lambda::Version': ({ properties }) => `${functionArn(properties.FunctionName)}:1`,
  'AWS::Logs::LogGroup': ({ name }) => `arn:aws:logs:${region}:${account}:log-group:${name}:*`,
  'AWS::SecretsManager::Secret': ({ name }) => `arn:aws:secretsmanager:${region}:${account}:secret:${name}-AbCdEf`,
};

const functionArn = (name: string) => (name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${account}:function:${name}`);

/** The ARN that a resource would have, in one Region of one account. */
export function arnOf(resource: Identified): string {
  const own = ownArns[resource.type];
  if (own) return own(resource);
  const form = specificationOf(resource.type)?.arnTemplate ?? `arn:\${Partition}:cloudformation:\${Region}:\${Account}:\${Name}`;
  const values: Record<string, string> = { Partition: 'aws', Region: region, Account: account };
  return form.replace(/\$\{(\w+)\}/g, (_, part: string) => values[part] ?? resource.name);
}

/** What `Ref` gives. */
export function refOf(resource: Identified): string {
  if (resource.type === 'AWS::SQS::Queue') return `https://sqs.${region}.amazonaws.com/${account}/${resource.name}`;
  if (resource.type === 'AWS::SecretsManager::Secret') return arnOf(resource);
  if (resource.type === 'AWS::Lambda::Version' || resource.type === 'AWS::Lambda::Alias') return arnOf(resource);
  const specification = specificationOf(resource.type);
  const [identifier, ...others] = specification?.cfnRefIdentifier ?? specification?.primaryIdentifier ?? [];
  return identifier?.endsWith('Arn') && others.length === 0 ? arnOf(resource) : resource.name;
}

/** What `Fn::GetAtt` gives; undefined where the type has no such attribute. */
export function attributeOf(resource: Identified, attribute: string): string | undefined {
  const specification = specificationOf(resource.type);
  if (!specification || !(attribute in specification.attributes)) return undefined;
  if (attribute === 'StreamArn') return `${arnOf(resource)}/stream/2026-01-01T00:00:00.000`;
  if (attribute === 'QueueName') return resource.name;
  return attribute.endsWith('Arn') ? arnOf(resource) : `${resource.name}.${attribute}`;
}

/** The property that holds the name of a resource, where it is not what `Ref` gives. */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::Events::Rule': 'Name',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
};

/** What a resource is given as its name, or a name of the form that CloudFormation makes up. */
export function nameOf(type: string, stack: string, id: string, properties: Json): string {
  const [identifier = '', ...others] = specificationOf(type)?.primaryIdentifier ?? [];
  const given = properties?.[nameProperties[type] ?? (others.length === 0 ? identifier : '')];
  return typeof given === 'string' ? given : `${stack}-${id}`;
}
