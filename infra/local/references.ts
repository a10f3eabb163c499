import * as z from 'zod/mini';

export const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) })),
  Outputs: z._default(z.record(z.string(), z.looseObject({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) })), {}),
});
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

/** The templates of an app, by stack, and what became of their resources by now, by id. */
export interface Stacks {
  templates: ReadonlyMap<string, z.infer<typeof Template>>;
  made: ReadonlyMap<string, MadeResource>;
}

/** `value` with every reference replaced by what it became. */
export function resolve(stacks: Stacks, value: unknown, stack: string): unknown {
  if (Array.isArray(value)) return value.map((element) => resolve(stacks, element, stack));
  if (value === null || typeof value !== 'object') return value;
  const [entry, ...others] = Object.entries(value);
  if (entry && others.length === 0 && (entry[0] === 'Ref' || entry[0].startsWith('Fn::'))) {
    return resolveFunction(stacks, entry[0], entry[1], stack);
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(stacks, field, stack)]));
}

function resolveFunction(stacks: Stacks, name: string, argument: unknown, stack: string): unknown {
  const text = (value: unknown) => String(resolve(stacks, value, stack));
  const list = Array.isArray(argument) ? argument : [];
  switch (name) {
    case 'Ref':
      return pseudoParameters[text(argument)] ?? findMade(stacks, `${stack}.${text(argument)}`).ref;
    case 'Fn::GetAtt':
      return attributeOf(findMade(stacks, `${stack}.${text(list[0])}`), text(list[1]));
    case 'Fn::Join':
      return z.parse(z.array(z.unknown()), resolve(stacks, list[1], stack)).join(text(list[0]));
    case 'Fn::Split':
      return text(list[1]).split(text(list[0]));
    case 'Fn::Select':
      return z.parse(z.array(z.unknown()), resolve(stacks, list[1], stack))[Number(text(list[0]))];
    case 'Fn::Sub':
      return substitute(stacks, argument, stack);
    case 'Fn::ImportValue':
      return resolveExport(stacks, text(argument));
    default:
      throw new Error(`The local stack does not know ${name}.`);
  }
}

/** The text of `Fn::Sub`, which may come with values of its own. */
function substitute(stacks: Stacks, argument: unknown, stack: string): string {
  const [template, values] = z.parse(z.tuple([z.string(), z.optional(z.record(z.string(), z.unknown()))]), [argument].flat());
  return template.replace(/\$\{(!?)([\w:.]+)\}/g, (whole, literal: string, name: string) => {
    if (literal) return whole.replace('!', '');
    const [resource, attribute] = name.split('.');
    return String(resolve(stacks, values?.[name] ?? (attribute ? { 'Fn::GetAtt': [resource, attribute] } : { Ref: name }), stack));
  });
}

function resolveExport(stacks: Stacks, exportName: string): unknown {
  for (const [stack, template] of stacks.templates) {
    const output = Object.values(template.Outputs).find(({ Export }) => Export && resolve(stacks, Export.Name, stack) === exportName);
    if (output) return resolve(stacks, output.Value, stack);
  }
  throw new Error(`No stack exports ${exportName}.`);
}

/** What the resource with this id became. */
export function findMade({ made }: Stacks, id: string): MadeResource {
  const found = made.get(id);
  if (!found) throw new Error(`${id} is referred to, and does not exist locally.`);
  return found;
}

function attributeOf(resource: MadeResource, attribute: string): string {
  const value = resource.attributes[attribute];
  if (value === undefined) throw new Error(`The attribute ${attribute} of ${resource.ref} is not known locally.`);
  return value;
}
