import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) })),
  Outputs: z._default(z.record(z.string(), z.looseObject({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) })), {}),
});
const Assets = z.object({ files: z.record(z.string(), z.object({ source: z.object({ path: z.string() }) })) });

/** A resource of one of the stacks; its properties still hold references. */
export interface Resource {
  /** Unique among all stacks: `stack.logicalId`. */
  id: string;
  stack: string;
  type: string;
  properties: Record<string, unknown>;
}

/** A name that depends on nothing but the template, so that data is found again after a restart. */
export const localName = ({ id }: Resource): string => id.replace(/[^A-Za-z0-9_-]/g, '-');

/** What a resource became on this machine: the value of `Ref`, and of `GetAtt` by attribute. */
export interface MadeResource {
  ref: string;
  attributes: Record<string, string>;
}

/** Where the local stack pretends to be. */
export const region = 'us-east-1';
export const account = '000000000000';

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Region': region,
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

export type SynthesizedApp = ReturnType<typeof readSynthesizedApp>;

/** The templates of a synthesized app, and a resolver of the references in them, also from stack to stack. */
export function readSynthesizedApp(folder: string) {
  const templates = new Map(
    filesEnding(folder, '.template.json').map(({ stack, text }) => [stack, z.parse(Template, JSON.parse(text))] as const),
  );
  const assets = new Map(
    filesEnding(folder, '.assets.json').flatMap(({ text }) => Object.entries(z.parse(Assets, JSON.parse(text)).files)),
  );
  const resources = [...templates].flatMap(([stack, template]) =>
    Object.entries(template.Resources).map(
      ([logicalId, { Type, Properties }]): Resource => ({ id: `${stack}.${logicalId}`, stack, type: Type, properties: Properties }),
    ),
  );
  const made = new Map<string, MadeResource>();

  /** `value` with every reference replaced by what it became. */
  function resolve(value: unknown, stack: string): unknown {
    if (Array.isArray(value)) return value.map((element) => resolve(element, stack));
    if (value === null || typeof value !== 'object') return value;
    const [entry, ...others] = Object.entries(value);
    if (entry && others.length === 0 && (entry[0] === 'Ref' || entry[0].startsWith('Fn::'))) {
      return resolveFunction(entry[0], entry[1], stack);
    }
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field, stack)]));
  }

  function resolveFunction(name: string, argument: unknown, stack: string): unknown {
    const text = (value: unknown) => String(resolve(value, stack));
    const list = Array.isArray(argument) ? argument : [];
    switch (name) {
      case 'Ref':
        return pseudoParameters[text(argument)] ?? find(`${stack}.${text(argument)}`).ref;
      case 'Fn::GetAtt':
        return attributeOf(find(`${stack}.${text(list[0])}`), text(list[1]));
      case 'Fn::Join':
        return z.parse(z.array(z.unknown()), resolve(list[1], stack)).join(text(list[0]));
      case 'Fn::Split':
        return text(list[1]).split(text(list[0]));
      case 'Fn::Select':
        return z.parse(z.array(z.unknown()), resolve(list[1], stack))[Number(text(list[0]))];
      case 'Fn::Sub':
        return substitute(argument, stack);
      case 'Fn::ImportValue':
        return resolveExport(text(argument));
      default:
        throw new Error(`The local stack does not know ${name}.`);
    }
  }

  /** The text of `Fn::Sub`, which may come with values of its own. */
  function substitute(argument: unknown, stack: string): string {
    const [template, values] = z.parse(z.tuple([z.string(), z.optional(z.record(z.string(), z.unknown()))]), [argument].flat());
    return template.replace(/\$\{(!?)([\w:.]+)\}/g, (whole, literal: string, name: string) => {
      if (literal) return whole.replace('!', '');
      const [resource, attribute] = name.split('.');
      return String(resolve(values?.[name] ?? (attribute ? { 'Fn::GetAtt': [resource, attribute] } : { Ref: name }), stack));
    });
  }

  function resolveExport(exportName: string): unknown {
    for (const [stack, template] of templates) {
      const output = Object.values(template.Outputs).find(({ Export }) => Export && resolve(Export.Name, stack) === exportName);
      if (output) return resolve(output.Value, stack);
    }
    throw new Error(`No stack exports ${exportName}.`);
  }

  function find(id: string): MadeResource {
    const found = made.get(id);
    if (!found) throw new Error(`${id} is referred to, and does not exist locally.`);
    return found;
  }

  return {
    /** The resources of a type, of every stack. */
    ofType: (type: string): Resource[] => resources.filter((resource) => resource.type === type),

    /** Records what a resource became, so that references to it can be resolved. */
    setMade(resource: Resource, value: MadeResource): void {
      made.set(resource.id, value);
    },

    /** What a resource became. */
    madeOf: (resource: Resource): MadeResource => find(resource.id),

    /** The properties that `schema` names, with every reference in them resolved. */
    read<Schema extends z.ZodMiniObject>({ properties, stack }: Resource, schema: Schema): z.output<Schema> {
      const named = Object.entries(properties).filter(([name]) => name in schema.shape);
      return z.parse(schema, resolve(Object.fromEntries(named), stack));
    },

    /** The folder of a bundled function's code, from the key it would have in the deployment bucket. */
    assetFolder(key: string): string {
      const asset = assets.get(key.replace(/\.zip$/, ''));
      if (!asset) throw new Error(`There is no asset ${key}.`);
      return join(folder, asset.source.path);
    },
  };
}

function attributeOf(resource: MadeResource, attribute: string): string {
  const value = resource.attributes[attribute];
  if (value === undefined) throw new Error(`The attribute ${attribute} of ${resource.ref} is not known locally.`);
  return value;
}

function filesEnding(folder: string, ending: string): { stack: string; text: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return files.map((file) => ({ stack: file.slice(0, -ending.length), text: readFileSync(join(folder, file), 'utf8') }));
}
