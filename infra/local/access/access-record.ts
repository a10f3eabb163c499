import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, Principal } from './call.ts';

export type AccessRecord = ReturnType<typeof createAccessRecord>;

/**
 * Writes each distinct call to a file in `directory`, `allowed.jsonl` or `denied.jsonl`. Of keys only what says
 * what kind of record they are of is written: those of the table up to their first `#`, those of objects up to their first `/`.
 */
export function createAccessRecord(directory: string) {
  mkdirSync(directory, { recursive: true });
  const written = new Set<string>();
  return {
    add(principal: Principal, { action, resource, context }: Call, allowed: boolean): void {
      const line = JSON.stringify({
        function: 'service' in principal ? principal.service : principal.functionName,
        action,
        resource: resource.replace(/^(arn:aws:s3:::[^/]+\/[^/]+\/).*$/, '$1*'),
        prefixes: prefixesOf(context?.['dynamodb:LeadingKeys']),
      });
      const file = allowed ? 'allowed.jsonl' : 'denied.jsonl';
      if (written.has(file + line)) return;
      written.add(file + line);
      appendFileSync(join(directory, file), `${line}\n`);
    },
  };
}

const prefixesOf = (keys: string | string[] = []) => [...new Set([keys].flat().map((key) => /^[^#]*#?/.exec(key)?.[0] ?? ''))].sort();
