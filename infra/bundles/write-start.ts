import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const starts = join(root, 'build', 'starts');

/**
 * Writes the module that starts a function in Lambda, and returns its path: `compose` of its folder, given the parts that
 * its declaration names and those of its own `parts.ts`, if it has one.
 */
export function writeStart(name: string, parts: readonly string[]): string {
  const file = join(starts, `${name}.ts`);
  const source = startOf(name, parts);
  if (existsSync(file) && readFileSync(file, 'utf8') === source) return file;
  mkdirSync(starts, { recursive: true });
  // Whoever writes it at the same time writes the same, and whoever reads it then finds it whole.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, source);
  renameSync(written, file);
  return file;
}

function startOf(name: string, parts: readonly string[]): string {
  const from = (file: string) => `'${relative(starts, join(root, file))}';`;
  const folder = `functions/${name}`;
  const hasOwn = existsSync(join(root, folder, 'parts.ts'));
  const given = [...parts.map((part) => `...${part}(start)`), ...(hasOwn ? ['...ownParts()'] : [])];
  return [
    `import { compose } from ${from(`${folder}/compose.ts`)}`,
    `import { settingNames } from ${from(`${folder}/declaration.ts`)}`,
    ...(hasOwn ? [`import { ownParts } from ${from(`${folder}/parts.ts`)}`] : []),
    ...(parts.length > 0 ? [`import { ${parts.join(', ')} } from ${from('shared/function-parts.ts')}`] : []),
    `import { startFunction } from ${from('shared/start-function.ts')}`,
    `export const handler = startFunction('${name}', settingNames, (settings, logger) => {`,
    '  const start = { settings, logger };',
    `  return compose({ ${['...start', ...given].join(', ')} });`,
    '});',
    '',
  ].join('\n');
}
