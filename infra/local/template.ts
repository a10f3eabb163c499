import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { findMade, type MadeResource, resolve, Template } from './references.ts';

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
  const stacks = { templates, made };

  return {
    /** The resources of a type, of every stack. */
    ofType: (type: string): Resource[] => resources.filter((resource) => resource.type === type),

    /** Records what a resource became, so that references to it can be resolved. */
    setMade(resource: Resource, value: MadeResource): void {
      made.set(resource.id, value);
    },

    /** What a resource became. */
    madeOf: (resource: Resource): MadeResource => findMade(stacks, resource.id),

    /** The properties that `schema` names, with every reference in them resolved. */
    read<Schema extends z.ZodMiniObject>({ properties, stack }: Resource, schema: Schema): z.output<Schema> {
      const named = Object.entries(properties).filter(([name]) => name in schema.shape);
      return z.parse(schema, resolve(stacks, Object.fromEntries(named), stack));
    },

    /** The folder of a bundled function's code, from the key it would have in the deployment bucket. */
    assetFolder(key: string): string {
      const asset = assets.get(key.replace(/\.zip$/, ''));
      if (!asset) throw new Error(`There is no asset ${key}.`);
      return join(folder, asset.source.path);
    },
  };
}

function filesEnding(folder: string, ending: string): { stack: string; text: string }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return files.map((file) => ({ stack: file.slice(0, -ending.length), text: readFileSync(join(folder, file), 'utf8') }));
}
