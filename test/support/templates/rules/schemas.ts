import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationValidatePlugin } from 'aws-cdk-lib/core';
import { account } from '../identifiers.ts';
import type { Json } from '../json.ts';
import type { Rules } from '../rule.ts';
import type { Service } from '../service.ts';
import { type PropertyType, specificationOf, structureOf } from '../specification.ts';

const engine = new CloudFormationValidatePlugin();

/** What the engine found in a template before; a planted mistake changes one of many. */
const known = new Map<string, readonly string[]>();

/** What the engine of `cdk synth` finds, its warnings too: an unknown enum value is no more than that to it. */
function findings({ stacks }: Service): string[] {
  return stacks.flatMap(({ name, region, template }) => {
    const text = JSON.stringify(template);
    const found = known.get(`${name} ${text}`) ?? findingsIn(name, region, text);
    known.set(`${name} ${text}`, found);
    return found;
  });
}

function findingsIn(stackConstructPath: string, region: string, text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const templatePath = join(folder, `${stackConstructPath}.template.json`);
    writeFileSync(templatePath, text);
    const context = { stackTemplates: [{ stackConstructPath, templatePath, accountId: account, region }], templatePaths: [templatePath] };
    // It reads nothing else of its context.
    const { violations } = engine.validate(context as unknown as Parameters<typeof engine.validate>[0]);
    return violations.flatMap(({ ruleName, description, violatingResources }) =>
      violatingResources.map(({ resourceLogicalId }) => `${resourceLogicalId}: ${ruleName} ${description}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The paths in `value` that the specification does not let anyone set: unknown, or made by the service alone. */
function unsettable(value: Json, type: PropertyType, path: string): string[] {
  if (value === null || typeof value !== 'object' || isReference(value)) return [];
  if (type.type === 'array' && Array.isArray(value)) return value.flatMap((element) => unsettable(element, type.element, path));
  if (type.type === 'map') return Object.entries(value).flatMap(([key, element]) => unsettable(element, type.element, `${path}.${key}`));
  if (type.type === 'union') {
    const [best = []] = type.types.map((one) => unsettable(value, one, path)).toSorted((a, b) => a.length - b.length);
    return best;
  }
  return type.type === 'ref' ? unsettableIn(value, structureOf(type).properties, path) : [];
}

function unsettableIn(
  value: Json,
  properties: Readonly<Record<string, { type: PropertyType; documentation?: string }>>,
  path: string,
): string[] {
  return Object.entries<Json>(value).flatMap(([name, field]) => {
    const property = properties[name];
    if (!property) return [`${path}.${name} cannot be set`];
    return [...unsettable(field, property.type, `${path}.${name}`), ...unlisted(field, property, `${path}.${name}`)];
  });
}

/** Where only the text lists the values that are valid, a value has to be one that it mentions. */
function unlisted(value: Json, { type, documentation = '' }: { type: PropertyType; documentation?: string }, path: string): string[] {
  if (typeof value !== 'string' || type.type !== 'string' || !/\b(?:valid|allowed) values\b[^.]{0,80}`/i.test(documentation)) return [];
  const mentioned = [...documentation.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word);
  return mentioned.includes(value) ? [] : [`${path} is ${value}, of which its documentation knows nothing`];
}

const isReference = (value: object) => {
  const [key, ...others] = Object.keys(value);
  return others.length === 0 && key !== undefined && (key === 'Ref' || key.startsWith('Fn::'));
};

/** What a stack imports from which stack. */
function importsOf({ stacks }: Service): Map<string, Set<string>> {
  const exporters = new Map(
    stacks.flatMap(({ name, template }) =>
      Object.values(template.Outputs ?? {}).flatMap(({ Export }) => (Export ? [[Export.Name, name]] : [])),
    ),
  );
  return new Map(
    stacks.map(({ name, template, after }) => {
      const imported = [...JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, exported]) =>
        exporters.get(exported),
      );
      return [name, new Set([...after, ...imported.filter((exporter) => exporter !== undefined)])];
    }),
  );
}

const reaches = (imports: Map<string, Set<string>>, from: string, to: string, seen = new Set<string>()): boolean =>
  [...(imports.get(from) ?? [])].some((next) => {
    if (next === to) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return reaches(imports, next, to, seen);
  });

/** What CloudFormation itself would refuse. */
export const schemaRules: Rules = {
  'every resource is of a type that exists': ({ resources }) =>
    resources.filter(({ type }) => !specificationOf(type)).map(({ id, type }) => `${id} is of type ${type}`),

  'nothing contradicts the registry schemas, neither as an error nor as a warning': findings,

  'only properties are set that the specification has, and values that it mentions': ({ stacks }) =>
    stacks.flatMap(({ name, template }) =>
      Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) =>
        unsettableIn(Properties, specificationOf(Type)?.properties ?? {}, `${name}.${id}`),
      ),
    ),

  'every reference leads to a resource, an attribute or an export that exists': ({ dangling }) => dangling,

  'no stack waits for itself': (service) => {
    const imports = importsOf(service);
    return service.stacks.filter(({ name }) => reaches(imports, name, name)).map(({ name }) => `${name} needs what needs it`);
  },

  'every name of an export is given once': ({ stacks }) => {
    const names = stacks.flatMap(({ template }) => Object.values(template.Outputs ?? {}).flatMap(({ Export }) => Export?.Name ?? []));
    return names.filter((name, index) => names.indexOf(name) !== index);
  },

  'every template is within 500 resources, 200 outputs and 1 MB': ({ stacks }) =>
    stacks.flatMap(({ name, template }) => {
      const resources = Object.keys(template.Resources).length;
      const outputs = Object.keys(template.Outputs ?? {}).length;
      const bytes = JSON.stringify(template).length;
      return resources > 500 || outputs > 200 || bytes > 1_000_000
        ? [`${name}: ${resources} resources, ${outputs} outputs, ${bytes} bytes`]
        : [];
    }),
};
