import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { RolePolicy, Statement } from './synthesized-roles.ts';

/** One thing that a function's role allows: an action on a resource, in one partition where the statement names some. */
export interface Right {
  function: string;
  action: string;
  /** An ARN, perhaps with wildcards. */
  resource: string;
  /** What leading keys begin with, up to their first `#`. */
  prefix?: string;
}

/** One kind of call that a function made, as the local stack writes it. */
const AccessRecord = z.object({ function: z.string(), action: z.string(), resource: z.string(), prefixes: z.array(z.string()) });
export type AccessRecord = z.infer<typeof AccessRecord>;

/** What was allowed, of every stack that kept a record there. */
export function readRecords(folder: string): AccessRecord[] {
  const files = folder === '' ? [] : globSync('**/*.jsonl', { cwd: folder }).filter((file) => !/(^|\/)denied[^/]*$/.test(file));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')).filter(Boolean);
  return [...new Set(lines)].map((line) => z.parse(AccessRecord, JSON.parse(line)));
}

const keysOf = ({ Condition }: Statement) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];

/** Everything that the roles allow. */
export function rightsIn(roles: ReadonlyMap<string, RolePolicy>): Right[] {
  return [...roles].flatMap(([name, { Statement: statements }]) =>
    statements.flatMap((statement) =>
      statement.Action.flatMap((action) =>
        statement.Resource.flatMap((resource): Right[] => {
          const right = { function: name, action, resource };
          const keys = keysOf(statement);
          return keys === undefined ? [right] : [keys].flat().map((key) => ({ ...right, prefix: key.replace(/\*$/, '') }));
        }),
      ),
    ),
  );
}

/** Whether one of the calls of its function and action used it. */
const isUse = (right: Right) => {
  const isResource = matcher(right.resource);
  return (record: AccessRecord) => isResource(record.resource) && (right.prefix === undefined || record.prefixes.includes(right.prefix));
};

/** A right in one line: the last part of the resource says which queue, table, index or prefix it is. */
export const lineOf = ({ function: name, action, resource, prefix }: Right): string =>
  [name, action, prefix ?? resource.replace(/^arn:aws:(?:[^:]*:){3}/, '').replace(/license-service-local-(api|data|workers)-/i, '')].join(
    ' ',
  );

/** A pattern in which `*` stands for any text. */
const matcher = (pattern: string) => {
  const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
  return (text: string) => expression.test(text);
};

/** By pattern of `lineOf`, why a right need not be used. */
interface Reasons {
  unused: Readonly<Record<string, string>>;
  byChance: Readonly<Record<string, string>>;
}

/** In a line each: the rights that no record used and no reason covers, and the reasons that cover none. */
export function faultsOf(rights: readonly Right[], records: readonly AccessRecord[], { unused, byChance }: Reasons): string[] {
  const granted = [...new Set(rights.map(lineOf))].sort();
  const byFunction = Map.groupBy(records, (record) => `${record.function} ${record.action}`);
  const isUsed = (right: Right) => byFunction.get(`${right.function} ${right.action}`)?.some(isUse(right));
  const idle = new Set(rights.filter((right) => !isUsed(right)).map(lineOf));
  const reasons = [
    ...Object.keys(unused).map((pattern) => ({ pattern, covers: granted.filter((line) => idle.has(line)).filter(matcher(pattern)) })),
    ...Object.keys(byChance).map((pattern) => ({ pattern, covers: granted.filter(matcher(pattern)) })),
  ];
  const covered = new Set(reasons.flatMap(({ covers }) => covers));
  return [
    ...granted.filter((line) => idle.has(line) && !covered.has(line)).map((line) => `No test used ${line}.`),
    ...reasons.filter(({ covers }) => covers.length === 0).map(({ pattern }) => `The reason for ${pattern} is not needed: drop it.`),
  ];
}
