import * as z from 'zod/mini';
import { StartError } from '../engines/engine.ts';
import type { Resource, SynthesizedApp } from '../template.ts';
import { unknownInConditions } from './condition-keys.ts';
import { functionArn } from './name-resources.ts';
import { type Policy, PolicyError, type PolicyKind, readPolicy } from './policy-evaluation.ts';

const Statement = z.record(z.string(), z.unknown());
const Document = z.looseObject({
  Statement: z.union([
    z.pipe(
      Statement,
      z.transform((one) => [one]),
    ),
    z.array(Statement),
  ]),
});
type Document = z.infer<typeof Document>;

const RoleProperties = z.object({
  AssumeRolePolicyDocument: Document,
  Policies: z._default(z.array(z.object({ PolicyName: z.string(), PolicyDocument: Document })), []),
  ManagedPolicyArns: z._default(z.array(z.unknown()).check(z.maxLength(0)), []),
  PermissionsBoundary: z.optional(z.never()),
});
const RolePolicyProperties = z.object({ PolicyDocument: Document, Roles: z._default(z.array(z.string()), []) });
const PermissionProperties = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.optional(z.string()),
  SourceAccount: z.optional(z.string()),
  EventSourceToken: z.optional(z.never()),
  FunctionUrlAuthType: z.optional(z.never()),
  PrincipalOrgID: z.optional(z.never()),
});

/** The properties of a resource, when they say nothing that is not enforced here. */
function read<Schema extends z.ZodMiniObject>(app: SynthesizedApp, resource: Resource, schema: Schema): z.output<Schema> {
  try {
    return app.read(resource, schema);
  } catch (error) {
    throw new StartError(`The policies of ${resource.id} cannot be enforced here: ${error instanceof Error ? error.message : error}`);
  }
}

/** What the templates allow and deny, by what it is attached to. */
export interface Policies {
  /** By ARN of the role. */
  ofRole: ReadonlyMap<string, readonly Policy[]>;
  /** Who may become a role, by its ARN. */
  trustOfRole: ReadonlyMap<string, Policy>;
  /** By ARN of the resource: table, queue, bucket, topic, secret, function. */
  ofResource: ReadonlyMap<string, Policy>;
}

/**
 * The policies of the synthesized templates.
 *
 * @param sender the address mail is sent from: where a policy leaves the identity of the mail service empty, it is filled in.
 * @throws StartError naming a policy that AWS would not take, or that has a condition on what is not known here
 */
export function readPolicies(app: SynthesizedApp, sender: string): Policies {
  const ofRole = new Map<string, Policy[]>();
  const trustOfRole = new Map<string, Policy>();
  const arnOfRole = new Map<string, string>();
  const attach = (role: string, policy: Policy) => ofRole.set(role, [...(ofRole.get(role) ?? []), policy]);

  for (const resource of app.ofType('AWS::IAM::Role')) {
    const { AssumeRolePolicyDocument, Policies } = read(app, resource, RoleProperties);
    const { ref, attributes } = app.madeOf(resource);
    const arn = attributes['Arn'] ?? '';
    arnOfRole.set(ref, arn);
    ofRole.set(arn, []);
    trustOfRole.set(arn, checked(resource, AssumeRolePolicyDocument, 'trust'));
    for (const { PolicyDocument } of Policies) attach(arn, checked(resource, withSender(PolicyDocument, sender), 'identity'));
  }
  for (const resource of [...app.ofType('AWS::IAM::Policy'), ...app.ofType('AWS::IAM::ManagedPolicy')]) {
    const { PolicyDocument, Roles } = read(app, resource, RolePolicyProperties);
    const policy = checked(resource, withSender(PolicyDocument, sender), 'identity');
    for (const role of Roles) attach(arnOfRole.get(role) ?? role, policy);
  }
  return { ofRole, trustOfRole, ofResource: readResourcePolicies(app) };
}

function readResourcePolicies(app: SynthesizedApp): Map<string, Policy> {
  const found = new Map<string, { resource: Resource; statements: Record<string, unknown>[] }>();
  const attach = (arn: string, resource: Resource, statements: readonly Record<string, unknown>[]) =>
    found.set(arn, { resource, statements: [...(found.get(arn)?.statements ?? []), ...statements] });

  for (const resource of app.ofType('AWS::SQS::QueuePolicy')) {
    const { PolicyDocument, Queues } = read(app, resource, z.object({ PolicyDocument: Document, Queues: z.array(z.string()) }));
    for (const queue of Queues) attach(arnOfQueue(app, queue), resource, PolicyDocument.Statement);
  }
  for (const resource of app.ofType('AWS::S3::BucketPolicy')) {
    const { PolicyDocument, Bucket } = read(app, resource, z.object({ PolicyDocument: Document, Bucket: z.string() }));
    attach(`arn:aws:s3:::${Bucket}`, resource, PolicyDocument.Statement);
  }
  for (const resource of app.ofType('AWS::SNS::TopicPolicy')) {
    const { PolicyDocument, Topics } = read(app, resource, z.object({ PolicyDocument: Document, Topics: z.array(z.string()) }));
    for (const topic of Topics) attach(topic, resource, PolicyDocument.Statement);
  }
  for (const resource of app.ofType('AWS::SecretsManager::ResourcePolicy')) {
    const { ResourcePolicy, SecretId } = read(app, resource, z.object({ ResourcePolicy: Document, SecretId: z.string() }));
    attach(SecretId, resource, ResourcePolicy.Statement);
  }
  for (const resource of app.ofType('AWS::DynamoDB::GlobalTable')) {
    const { Replicas } = read(app, resource, TablePolicyProperties);
    const statements = Replicas.flatMap(({ ResourcePolicy }) => ResourcePolicy?.PolicyDocument.Statement ?? []);
    if (statements.length > 0) attach(app.madeOf(resource).attributes['Arn'] ?? '', resource, statements);
  }
  for (const resource of app.ofType('AWS::Lambda::Permission')) {
    const permission = read(app, resource, PermissionProperties);
    const arn = functionArn(permission.FunctionName);
    attach(arn, resource, [statementOf(permission, arn)]);
  }
  return new Map(
    [...found].map(([arn, { resource, statements }]) => [
      arn,
      checked(resource, { Version: '2012-10-17', Statement: statements }, 'resource'),
    ]),
  );
}

/** A queue's policy names it by its URL. */
function arnOfQueue(app: SynthesizedApp, url: string): string {
  const queue = app.ofType('AWS::SQS::Queue').find((resource) => app.madeOf(resource).ref === url);
  return (queue && app.madeOf(queue).attributes['Arn']) ?? url;
}

const TablePolicyProperties = z.object({
  Replicas: z.array(z.object({ ResourcePolicy: z.optional(z.object({ PolicyDocument: Document })) })),
});

/** The statement that a permission adds to the policy of its function. */
function statementOf(permission: z.infer<typeof PermissionProperties>, Resource: string): Record<string, unknown> {
  const { Action, Principal, SourceArn, SourceAccount } = permission;
  return {
    Effect: 'Allow',
    Principal: Principal.includes('.') ? { Service: Principal } : { AWS: Principal },
    Action,
    Resource,
    Condition: {
      ...(SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount !== undefined && { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  };
}

/** Allows everything. */
export const administrator: Policy = readPolicy(
  { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
  'identity',
);

function checked(resource: Resource, document: Document, kind: PolicyKind): Policy {
  const [unknown] = unknownInConditions(document);
  if (unknown) throw new StartError(`The policy ${resource.id} has a condition on ${unknown}, which the local stack does not know.`);
  try {
    return readPolicy(document, kind);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new StartError(`The policy ${resource.id} would be refused, or says what is not enforced here: ${error.message}`);
  }
}

/** The address, or its domain, as the templates name it when the operator gives none. */
function withSender(document: Document, sender: string): Document {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const filled = (arn: unknown) => (typeof arn === 'string' && arn.endsWith(':identity/') ? [`${arn}${sender}`, `${arn}${domain}`] : [arn]);
  const statements = document.Statement.map((statement) =>
    'Resource' in statement ? { ...statement, Resource: [...new Set([statement['Resource']].flat().flatMap(filled))] } : statement,
  );
  return { ...document, Statement: statements };
}
