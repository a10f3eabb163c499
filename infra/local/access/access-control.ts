import * as z from 'zod/mini';
import { StartError } from '../engines/engine.ts';
import type { Resource, SynthesizedApp } from '../template.ts';
import { AccessDeniedError, createAccess } from './access.ts';
import { createAccessRecord } from './access-record.ts';
import type { Call, FunctionPrincipal } from './call.ts';
import { createIdentities, operatorPrincipal } from './credentials.ts';
import { createGuard } from './guard.ts';
import { functionArn } from './name-resources.ts';
import { administrator, readPolicies } from './policies.ts';

const FunctionProperties = z.object({
  Description: z.string(),
  Role: z.string(),
  LoggingConfig: z.optional(z.object({ LogGroup: z.string() })),
});
const LogGroupArn = /:\*$/;

/** Who may do what on this machine, and how each function proves who it is. */
export type AccessControl = ReturnType<typeof createAccessControl>;

/** The function's own name is in the description that every function has. */
export const functionName = (description: string): string => description.replace(/^license-service /, '');

/**
 * Reads who may do what from the templates. All that policies refer to must have been made, or named, before.
 *
 * @param options.seed what credentials are derived from
 * @param options.sender the address mail is sent from
 * @param options.recordDirectory where to write which calls were made; see ACCESS_RECORD
 * @throws StartError when a policy cannot be enforced here, or a function could not run under its role
 */
export function createAccessControl(
  app: SynthesizedApp,
  { seed, sender, recordDirectory }: { seed: string; sender: string; recordDirectory?: string | undefined },
) {
  const policies = readPolicies(app, sender);
  const ofRole = new Map([...policies.ofRole, [operatorPrincipal.roleArn, [administrator]]]);
  const access = createAccess({ ...policies, ofRole }, recordDirectory ? createAccessRecord(recordDirectory) : undefined);
  const functions = app.ofType('AWS::Lambda::Function').map((resource) => ({ resource, ...app.read(resource, FunctionProperties) }));
  const principals = new Map(
    functions.map(({ resource, Description, Role }) => [
      app.madeOf(resource).attributes['Arn'],
      { functionName: functionName(Description), roleArn: Role },
    ]),
  );
  const control = {
    access,
    /** The function with this name or ARN, of whatever version. */
    functionAs(nameOrArn: string): FunctionPrincipal {
      const principal = principals.get(unqualified(functionArn(nameOrArn)));
      if (!principal) throw new Error(`There is no function ${nameOrArn}.`);
      return principal;
    },
    /** @throws StartError when the function may not do all of it */
    demand(principal: FunctionPrincipal, what: string, calls: readonly Call[]): void {
      try {
        for (const call of calls) access.authorize(principal, call);
      } catch (error) {
        if (!(error instanceof AccessDeniedError)) throw error;
        throw new StartError(`The function ${principal.functionName} ${what}: ${error.message}`);
      }
    },
  };
  for (const { resource, LoggingConfig } of functions) {
    const principal = control.functionAs(app.madeOf(resource).ref);
    if (!access.canAssume(principal.roleArn, 'lambda.amazonaws.com')) {
      throw new StartError(`The function ${principal.functionName} cannot run: Lambda may not assume its role ${principal.roleArn}.`);
    }
    control.demand(principal, 'could not write its log', logCalls(app, LoggingConfig?.LogGroup));
  }
  const identities = createIdentities(seed, [...principals.values(), operatorPrincipal]);
  return { ...control, identities, guard: createGuard(access, identities) };
}

/** An ARN without the version or alias that it may name. */
const unqualified = (arn: string) => arn.split(':').slice(0, 7).join(':');

function logCalls(app: SynthesizedApp, logGroup: string | undefined): Call[] {
  const group = app.ofType('AWS::Logs::LogGroup').find((resource: Resource) => app.madeOf(resource).ref === logGroup);
  const arn = group && app.madeOf(group).attributes['Arn'];
  if (!arn) throw new StartError('A function has no log group of the templates.');
  const resource = `${arn.replace(LogGroupArn, '')}:log-stream:local`;
  return [
    { action: 'logs:CreateLogStream', resource },
    { action: 'logs:PutLogEvents', resource },
  ];
}
