import type { Json } from './identifiers.ts';
import { arnOf, attributeOf, type Identified, nameOf, pseudoParametersOf, refOf } from './identifiers.ts';
import type { SynthesizedApp } from './stacks-at.ts';

export interface Resource {
  stack: string;
  region: string;
  id: string;
  type: string;
  /** As it would be called, and referred to, in the account. */
  name: string;
  ref: string;
  arn: string;
  /** With every reference in them resolved. */
  properties: Json;
  dependsOn: string[];
  deletionPolicy: string | undefined;
  updateReplacePolicy: string | undefined;
  updatePolicy: Json;
}

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Principal?: Json;
  Action: string[];
  Resource: string[];
  Condition?: Json;
}

export interface ServiceFunction extends Resource {
  /** The folder of `functions/` that it runs. */
  folder: string;
  environment: Record<string, string>;
  statements: Statement[];
}

export type Service = ReturnType<typeof readService>;

const list = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`A template refers to ${what}, which is not there.`);
  return value;
}

export const statementsOf = (document: Json): Statement[] =>
  list<Json>(document?.Statement).map((statement) => ({
    ...statement,
    Action: list<string>(statement.Action),
    Resource: list<string>(statement.Resource),
  }));

/**
 * The resources of all stacks as they would be in an account: every reference between them resolved.
 *
 * @throws Error for a reference that leads nowhere
 */
export function readService({ stage, stacks, definitions }: SynthesizedApp) {
  const exports = new Map(
    stacks.flatMap(({ name: stack, region, template }) =>
      Object.values(template.Outputs ?? {}).flatMap(({ Export, Value }) =>
        Export ? [[`${region} ${Export.Name}`, { stack, Value }] as const] : [],
      ),
    ),
  );
  const stackAt = (name: string) =>
    found(
      stacks.find((stack) => stack.name === name),
      name,
    );

  const identified = new Map<string, Identified>();
  function identify(stack: string, id: string) {
    const key = `${stack}.${id}`;
    const known = identified.get(key) ?? identifyAnew(stack, id);
    identified.set(key, known);
    return known;
  }

  function identifyAnew(stack: string, id: string): Identified {
    const { region, template } = stackAt(stack);
    const { Type: type, Properties: properties = {} } = found(template.Resources[id], `${id} in ${stack}`);
    const isOfFunction = ['AWS::Lambda::Alias', 'AWS::Lambda::Version'].includes(type);
    return { type, region, name: nameOf(type, stack, id, properties), properties: isOfFunction ? resolve(properties, stack) : properties };
  }

  function resolve(value: Json, stack: string): Json {
    if (Array.isArray(value)) return value.map((element) => resolve(element, stack)).filter((element) => element !== undefined);
    if (value === null || typeof value !== 'object') return value;
    const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
    if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return evaluate(name, argument, stack);
    const fields = Object.entries(value).map(([field, part]) => [field, resolve(part, stack)]);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
  }

  function evaluate(name: string, argument: Json, stack: string): Json {
    const { region, template } = stackAt(stack);
    const args = Array.isArray(argument) ? argument : [argument];
    switch (name) {
      case 'Ref': {
        const pseudoParameters = pseudoParametersOf(region);
        if (argument in pseudoParameters) return pseudoParameters[argument];
        return argument in (template.Parameters ?? {}) ? `parameter:${argument}` : refOf(identify(stack, argument));
      }
      case 'Fn::GetAtt': {
        const [id, attribute] = args.length === 1 ? argument.split('.') : args;
        return found(attributeOf(identify(stack, id), attribute), `${attribute} of ${id}`);
      }
      case 'Fn::Join':
        return resolve(args[1], stack).join(args[0]);
      case 'Fn::Split':
        return resolve(args[1], stack).split(args[0]);
      case 'Fn::Select':
        return resolve(args[1], stack)[Number(args[0])];
      case 'Fn::If':
        return resolve(resolve(found(template.Conditions?.[args[0]], args[0]), stack) ? args[1] : args[2], stack);
      case 'Fn::Not':
        return !resolve(args[0], stack);
      case 'Fn::Equals':
        return resolve(args[0], stack) === resolve(args[1], stack);
      case 'Fn::FindInMap': {
        const [map, first, second] = resolve(args, stack);
        return found(template.Mappings?.[map]?.[first]?.[second], `${map} ${first} ${second}`);
      }
      case 'Fn::ImportValue': {
        const exported = found(exports.get(`${region} ${resolve(argument, stack)}`), `${JSON.stringify(argument)} in ${region}`);
        return resolve(exported.Value, exported.stack);
      }
      default:
        throw new Error(`These tests cannot follow ${name}.`);
    }
  }

  const resources = stacks.flatMap(({ name: stack, region, template }) =>
    Object.entries(template.Resources).map(([id, resource]): Resource => {
      const properties = resolve(resource.Properties ?? {}, stack);
      const named = { stack, region, id, type: resource.Type, name: nameOf(resource.Type, stack, id, properties), properties };
      return {
        ...named,
        ref: refOf(named),
        arn: arnOf(named),
        dependsOn: list(resource.DependsOn),
        deletionPolicy: resource.DeletionPolicy,
        updateReplacePolicy: resource.UpdateReplacePolicy,
        updatePolicy: resolve(resource.UpdatePolicy, stack),
      };
    }),
  );
  const outputs = Object.fromEntries(
    stacks.flatMap(({ name, template }) =>
      Object.entries(template.Outputs ?? {}).map(([id, { Value }]): [string, Json] => [id, resolve(Value, name)]),
    ),
  );

  const ofType = (type: string): Resource[] => resources.filter((resource) => resource.type === type);
  const statementsOfRole = (role: Resource): Statement[] => [
    ...(role.properties.Policies ?? []).flatMap(({ PolicyDocument }: Json) => statementsOf(PolicyDocument)),
    ...[...ofType('AWS::IAM::Policy'), ...ofType('AWS::IAM::ManagedPolicy')]
      .filter(({ properties }) => properties.Roles?.includes(role.ref))
      .flatMap(({ properties }) => statementsOf(properties.PolicyDocument)),
  ];
  const roleAt = (arn: string) => ofType('AWS::IAM::Role').find((role) => role.arn === arn);
  const functions = ofType('AWS::Lambda::Function').map((resource): ServiceFunction => {
    const role = roleAt(resource.properties.Role);
    return {
      ...resource,
      folder: String(resource.properties.Description).replace('license-service ', ''),
      environment: resource.properties.Environment?.Variables ?? {},
      statements: role ? statementsOfRole(role) : [],
    };
  });

  const aliasAt = (target: string | undefined) =>
    ofType('AWS::Lambda::Alias').find(
      ({ arn, properties: { FunctionName, Name } }) => target === arn || target === `${FunctionName}:${Name}`,
    );

  return {
    stage,
    stacks,
    definitions,
    resources,
    outputs,
    functions,
    ofType,
    /** The only resource of its type; where several stacks have one, that of the stack. @throws Error for none or several */
    only(type: string, stack = ''): Resource {
      const [resource, ...others] = ofType(type).filter((each) => each.stack.endsWith(stack));
      if (!resource || others.length > 0) throw new Error(`There are ${others.length} ${type} beside ${resource?.id}.`);
      return resource;
    },
    roleAt,
    statementsOfRole,
    /** The resource with this ARN, name or other value of `Ref`. */
    at: (identifier: string | undefined, type?: string) =>
      resources.find((each) => (each.arn === identifier || each.ref === identifier) && (type === undefined || each.type === type)),
    aliasAt,
    /** The function that is invoked under this ARN or name: its own, or that of an alias of it. */
    functionAt: (target: string | undefined) =>
      functions.find(({ arn, ref }) => target === arn || target === ref || aliasAt(target)?.properties.FunctionName === ref),
  };
}
