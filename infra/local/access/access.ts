import { account, region } from '../references.ts';
import type { AccessRecord } from './access-record.ts';
import type { Call, Principal } from './call.ts';
import type { Policies } from './policies.ts';
import { evaluate } from './policy-evaluation.ts';

/** Refused by the policies of the templates; the message is worded as AWS words it. */
export class AccessDeniedError extends Error {
  readonly action: string;
  constructor(principal: Principal, { action, resource }: Call, reason: string) {
    super(`User: ${nameOf(principal)} is not authorized to perform: ${action} on resource: ${resource} ${reason}`);
    this.name = 'AccessDeniedError';
    this.action = action;
  }
}

export type Access = ReturnType<typeof createAccess>;

const keptDecisions = 20_000;

/** Decides as AWS would by the policies of the templates: what nothing allows is denied, and a denial goes before all else. */
export function createAccess(policies: Policies, record?: AccessRecord) {
  const decisions = new Map<string, string | undefined>();

  /** Why a call is denied; undefined when it is allowed. */
  function refusalOf(principal: Principal, call: Call): string | undefined {
    const context = contextOf(principal, call);
    const key = JSON.stringify([nameOf(principal), call.action, call.resource, context]);
    if (!decisions.has(key)) {
      if (decisions.size >= keptDecisions) decisions.clear();
      decisions.set(key, judge(policies, principal, call, context));
    }
    return decisions.get(key);
  }

  return {
    /** @throws AccessDeniedError */
    authorize(principal: Principal, call: Call): void {
      const refusal = refusalOf(principal, call);
      record?.add(principal, call, refusal === undefined);
      if (refusal !== undefined) throw new AccessDeniedError(principal, call, refusal);
    },

    /** Whether a service may take on the role. */
    canAssume(roleArn: string, service: string): boolean {
      const trust = policies.trustOfRole.get(roleArn);
      const request = { principal: service, action: 'sts:AssumeRole', resource: roleArn, context: {} };
      return trust !== undefined && evaluate(request, trust) === 'Allowed';
    },
  };
}

function judge(policies: Policies, principal: Principal, { action, resource }: Call, context: Context): string | undefined {
  const isIdentity = 'roleArn' in principal;
  const identity = isIdentity ? (policies.ofRole.get(principal.roleArn) ?? []) : [];
  const ofResource = policies.ofResource.get(ownerOf(resource)) ?? [];
  const request = { principal: nameOf(principal), action, resource, context };
  const decision = evaluate(request, ...identity, ofResource);
  if (decision === 'Allowed') return undefined;
  if (decision === 'ImplicitlyDenied') return `because no ${isIdentity ? 'identity' : 'resource'}-based policy allows the ${action} action`;
  const byIdentity = evaluate(request, ...identity) === 'ExplicitlyDenied';
  return `with an explicit deny in ${byIdentity ? 'an identity' : 'a resource'}-based policy`;
}

type Context = Record<string, string | string[]>;

/** The resource that a policy is attached to: objects have that of their bucket, indexes that of their table. */
function ownerOf(resource: string): string {
  if (resource.startsWith('arn:aws:s3:')) return resource.split('/', 1)[0] ?? resource;
  return resource.replace(/^(arn:aws:dynamodb:[^/]+\/[^/]+)\/index\/.*$/, '$1');
}

/** Everything here goes over the loopback, which stands for the TLS of the cloud's endpoints. */
function contextOf(principal: Principal, { context }: Call): Context {
  const common = { 'aws:SecureTransport': 'true', 'aws:RequestedRegion': region, 'aws:ResourceAccount': account, ...context };
  if ('roleArn' in principal) {
    return { ...common, 'aws:PrincipalArn': principal.roleArn, 'aws:PrincipalAccount': account, 'aws:PrincipalIsAWSService': 'false' };
  }
  return {
    ...common,
    'aws:SourceArn': principal.sourceArn,
    'aws:SourceAccount': account,
    'aws:PrincipalIsAWSService': 'true',
    'aws:PrincipalServiceName': principal.service,
  };
}

/** A function is a session of its role that Lambda names for the function. */
function nameOf(principal: Principal): string {
  if ('service' in principal) return principal.service;
  const [, role = ''] = principal.roleArn.split(':role/');
  return `arn:aws:sts::${account}:assumed-role/${role}/${principal.functionName}`;
}
