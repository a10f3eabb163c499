import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

/** Any JSON: what is in a template is what is tested. */
export type Json = any;

export const account = '123456789012';
export const region = 'eu-west-1';

const database = loadAwsServiceSpecSync();
const lookUp = (type: string) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0];
const known = new Map<string, ReturnType<typeof lookUp>>();

/** What is published about a resource type, or undefined where there is no such type. */
export function specificationOf(type: string) {
  if (!known.has(type)) known.set(type, lookUp(type));
  return known.get(type);
}

/** What a template may refer to without making it; `AWS::NoValue` is the absence of a value. */
export const pseudoParametersOf = (stackRegion: string): Readonly<Record<string, string | undefined>> => ({
  'AWS::AccountId': account,
  'AWS::NoValue': undefined,
  'AWS::Partition': 'aws',
  'AWS::Region': stackRegion,
  'AWS::URLSuffix': 'amazonaws.com',
});

export interface Identified {
  region: string;
  type: string;
  name: string;
  properties: Json;
}

/** What differs from the form that the specification has for ARNs, or what it has none for. */
const ownArns: Readonly<Record<string, (resource: Identified) => string>> = {
  'AWS::DynamoDB::GlobalTable': ({ name, region }) => `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  'AWS::Lambda::Alias': (resource) => `${functionArn(resource)}:${resource.properties.Name}`,
  'AWS::Lambda::Version': (resource) => `${functionArn(resource)}:1`,
  'AWS::Logs::LogGroup': ({ name, region }) => `arn:aws:logs:${region}:${account}:log-group:${name}:*`,
  'AWS::SecretsManager::Secret': ({ name, region }) => `arn:aws:secretsmanager:${region}:${account}:secret:${name}-AbCdEf`,
};

function functionArn({ properties: { FunctionName: name }, region }: Identified): string {
  return name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${account}:function:${name}`;
}

/** The ARN that a resource would have, in one Region of one account. */
export function arnOf(resource: Identified): string {
  const own = ownArns[resource.type];
  if (own) return own(resource);
  const form = specificationOf(resource.type)?.arnTemplate ?? `arn:\${Partition}:cloudformation:\${Region}:\${Account}:\${Name}`;
  const values: Record<string, string> = { Partition: 'aws', Region: resource.region, Account: account };
  return form.replace(/\$\{(\w+)\}/g, (_, part: string) => values[part] ?? resource.name);
}

/** What `Ref` gives. */
export function refOf(resource: Identified): string {
  if (resource.type === 'AWS::SQS::Queue') return `https://sqs.${resource.region}.amazonaws.com/${account}/${resource.name}`;
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
