import { arnOf, attributeOf, nameOf, pseudoParametersOf, refOf } from './identifiers.ts';
import type { Json } from './json.ts';
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
    stacks.flatMap(({ name: stack, region, template }) =>
      Object.entries(template.Resources).map(([id, { Type: type, Properties: properties = {} }]) => [
        `${stack}.${id}`,
        { stack, region, id, type, properties },
      ]),
    ),
  );
  const stackAt = (name: string) => stacks.find((stack) => stack.name === name);
  const regionOf = (stack: string) => stackAt(stack)?.region ?? '';
  const parameters = new Set(stacks.flatMap(({ name, template }) => Object.keys(template.Parameters ?? {}).map((id) => `${name}.${id}`)));
  const exports = new Map(
    stacks.flatMap(({ name: stack, region, template }) =>
      Object.values(template.Outputs ?? {}).flatMap(({ Export, Value }) =>
        Export ? [[`${region} ${Export.Name}`, { stack, Value }] as const] : [],
      ),
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
    const fields = Object.entries(value).map(([name, field]) => [name, resolve(field, stack, from)]);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
  }

  function evaluate(name: string, argument: Json, stack: string, from: string): Json {
    const missing = `missing:${JSON.stringify(argument)}`;
    if (name === 'Ref') {
      const pseudoParameters = pseudoParametersOf(stack, regionOf(stack));
      if (argument in pseudoParameters) return pseudoParameters[argument];
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
    if (name === 'Fn::If') return resolve(isMet(argument[0], stack, from) ? argument[1] : argument[2], stack, from);
    if (name === 'Fn::Not') return !resolve(argument[0], stack, from);
    if (name === 'Fn::Equals') return resolve(argument[0], stack, from) === resolve(argument[1], stack, from);
    if (name === 'Fn::FindInMap') {
      const [map, first, second] = resolve(argument, stack, from);
      const mapped = stackAt(stack)?.template.Mappings?.[map]?.[first]?.[second];
      if (mapped === undefined) dangling.push(`${from} looks for ${JSON.stringify(argument)}, which is not mapped.`);
      return mapped ?? missing;
    }
    if (name === 'Fn::Split') return resolve(argument[1], stack, from).split(argument[0]);
    if (name === 'Fn::Sub') {
      const [text, values = {}] = Array.isArray(argument) ? argument : [argument];
      return text.replace(/\$\{([\w:.]+)\}/g, (_: string, part: string) =>
        part in values ? resolve(values[part], stack, from) : evaluate(part.includes('.') ? 'Fn::GetAtt' : 'Ref', part, stack, from),
      );
    }
    if (name === 'Fn::ImportValue') {
      const imported = exports.get(`${regionOf(stack)} ${resolve(argument, stack, from)}`);
      if (imported) return resolve(imported.Value, imported.stack, from);
      dangling.push(`${from} imports ${JSON.stringify(argument)}, which no stack of its Region exports.`);
      return missing;
    }
    dangling.push(`${from} uses ${name}, which these rules cannot follow.`);
    return missing;
  }

  function isMet(condition: string, stack: string, from: string): boolean {
    const expression = stackAt(stack)?.template.Conditions?.[condition];
    if (expression === undefined) dangling.push(`${from} asks for the condition ${condition}, which is not in ${stack}.`);
    return resolve(expression, stack, from) === true;
  }

  const resources = stacks.flatMap(({ name: stack, region, template }) =>
    Object.entries(template.Resources).map(([id, resource]): Resource => {
      const from = `${stack}.${id}`;
      const properties = resolve(resource.Properties ?? {}, stack, from);
      const identified = { stack, region, id, type: resource.Type, name: nameOf(resource.Type, stack, id, properties), properties };
      return {
        ...identified,
        ref: refOf(identified),
        arn: arnOf(identified),
        deletionPolicy: resource.DeletionPolicy,
        updateReplacePolicy: resource.UpdateReplacePolicy,
        updatePolicy: resolve(resource.UpdatePolicy, stack, from),
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

  const aliasAt = (target: string | undefined) =>
    ofType('AWS::Lambda::Alias').find(
      ({ arn, properties: { FunctionName, Name } }) => target === arn || target === `${FunctionName}:${Name}`,
    );

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
    aliasAt,
    /** The function that is invoked under this ARN or name: its own, or that of an alias of it. */
    functionAt: (target: string | undefined) =>
      functions.find(({ arn, ref }) => target === arn || target === ref || aliasAt(target)?.properties.FunctionName === ref),
  };
}
