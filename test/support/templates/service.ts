import { arnOf, attributeOf, nameOf, pseudoParameters, refOf } from './identifiers.ts';
import type { Json, SynthesizedApp } from './stacks-at.ts';

export interface Resource {
  stack: string;
  id: string;
  type: string;
  /** As it would be called, and referred to, in the account. */
  name: string;
  ref: string;
  arn: string;
  /** With every reference in them resolved. */
  properties: Json;
  deletionPolicy: string | undefined;
  updateReplacePolicy: string | undefined;
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

export const statementsOf = (document: Json): Statement[] =>
  list<Json>(document?.Statement).map((statement) => ({
    ...statement,
    Action: list<string>(statement.Action),
    Resource: list<string>(statement.Resource),
  }));

/** The resources of all stacks as they would be in an account: every reference between them resolved. */
export function readService({ stage, stacks, definitions }: SynthesizedApp) {
  /** References that lead nowhere. */
  const dangling: string[] = [];

  const raw = new Map(
    stacks.flatMap(({ name: stack, template }) =>
      Object.entries(template.Resources).map(([id, { Type: type, Properties: properties = {} }]) => [
        `${stack}.${id}`,
        { stack, id, type, properties },
      ]),
    ),
  );
  const parameters = new Set(stacks.flatMap(({ name, template }) => Object.keys(template.Parameters ?? {}).map((id) => `${name}.${id}`)));
  const exports = new Map(
    stacks.flatMap(({ name: stack, template }) =>
      Object.values(template.Outputs ?? {}).flatMap(({ Export, Value }) => (Export ? [[Export.Name, { stack, Value }] as const] : [])),
    ),
  );

  const identify = (stack: string, id: string, from: string) => {
    const found = raw.get(`${stack}.${id}`);
    if (!found) {
      dangling.push(`${from} refers to ${id}, which is not in ${stack}.`);
      return undefined;
    }
    const name = nameOf(found.type, stack, id, found.properties);
    const properties =
      found.type === 'AWS::Lambda::Alias' || found.type === 'AWS::Lambda::Version'
        ? resolve(found.properties, stack, from)
        : found.properties;
    return { ...found, name, properties };
  };

  function resolve(value: Json, stack: string, from: string): Json {
    if (Array.isArray(value)) return value.map((element) => resolve(element, stack, from)).filter((element) => element !== undefined);
    if (value === null || typeof value !== 'object') return value;
    const [entry, ...others] = Object.entries(value);
    if (entry && others.length === 0 && (entry[0] === 'Ref' || entry[0].startsWith('Fn::')))
      return evaluate(entry[0], entry[1], stack, from);
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field, stack, from)]));
  }

  function evaluate(name: string, argument: Json, stack: string, from: string): Json {
    const missing = `missing:${JSON.stringify(argument)}`;
    if (name === 'Ref') {
      if (argument in pseudoParameters) return argument === 'AWS::StackName' ? stack : pseudoParameters[argument];
      if (parameters.has(`${stack}.${argument}`)) return `parameter:${argument}`;
      const found = identify(stack, argument, from);
      return found ? refOf(found) : missing;
    }
    if (name === 'Fn::GetAtt') {
      const [id, attribute] = Array.isArray(argument) ? argument : argument.split('.');
      const found = identify(stack, id, from);
      const attributeValue = found && attributeOf(found, attribute);
      if (found && attributeValue === undefined)
        dangling.push(`${from} wants ${attribute} of ${id}, but ${found.type} has no such attribute.`);
      return attributeValue ?? missing;
    }
    if (name === 'Fn::Join') return resolve(argument[1], stack, from).join(argument[0]);
    if (name === 'Fn::Select') return resolve(argument[1], stack, from)[Number(argument[0])];
    if (name === 'Fn::Split') return resolve(argument[1], stack, from).split(argument[0]);
    if (name === 'Fn::Sub') {
      const [text, values = {}] = Array.isArray(argument) ? argument : [argument];
      return text.replace(/\$\{([\w:.]+)\}/g, (_: string, part: string) =>
        part in values ? resolve(values[part], stack, from) : evaluate(part.includes('.') ? 'Fn::GetAtt' : 'Ref', part, stack, from),
      );
    }
    if (name === 'Fn::ImportValue') {
      const imported = exports.get(resolve(argument, stack, from));
      if (imported) return resolve(imported.Value, imported.stack, from);
      dangling.push(`${from} imports ${JSON.stringify(argument)}, which no stack exports.`);
      return missing;
    }
    dangling.push(`${from} uses ${name}, which these rules cannot follow.`);
    return missing;
  }

  const resources = stacks.flatMap(({ name: stack, template }) =>
    Object.entries(template.Resources).map(([id, resource]): Resource => {
      const from = `${stack}.${id}`;
      const properties = resolve(resource.Properties ?? {}, stack, from);
      const identified = { stack, id, type: resource.Type, name: nameOf(resource.Type, stack, id, properties), properties };
      return {
        ...identified,
        ref: refOf(identified),
        arn: arnOf(identified),
        deletionPolicy: resource.DeletionPolicy,
        updateReplacePolicy: resource.UpdateReplacePolicy,
      };
    }),
  );
  for (const { name, template } of stacks) resolve(template.Outputs ?? {}, name, `${name}.Outputs`);

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

  return {
    stage,
    stacks,
    definitions,
    resources,
    dangling,
    functions,
    ofType,
    roleAt,
    statementsOfRole,
    /** The resource with this ARN, name or other value of `Ref`. */
    at: (identifier: string | undefined, type?: string) =>
      resources.find((each) => (each.arn === identifier || each.ref === identifier) && (type === undefined || each.type === type)),
    /** The function that is invoked under this ARN or name: of itself, a version or an alias. */
    functionAt: (target: string | undefined) =>
      functions.find(({ arn, ref }) => target === arn || target === ref || target?.startsWith(`${arn}:`)),
  };
}
