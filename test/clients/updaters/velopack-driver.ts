/** What an app with Velopack does: asks for an update and downloads it. Prints what came of it as JSON. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Task {
  folder: string;
  url: string;
  version: string;
  download?: boolean;
}
const { folder, url, version, download }: Task = JSON.parse(process.argv[2] ?? '');

const [packages, current] = [join(folder, 'packages'), join(folder, 'current')];
for (const made of [packages, current]) mkdirSync(made, { recursive: true });
const [manifest, updateExe] = [join(current, 'sq.version'), join(folder, 'Update.exe')];
writeFileSync(updateExe, '');
writeFileSync(
  manifest,
  `<?xml version="1.0" encoding="utf-8"?><package xmlns="http://schemas.microsoft.com/packaging/2010/07/nuspec.xsd"><metadata>
<id>Lumen</id><title>Lumen</title><description>Lumen</description><authors>Lumen</authors><version>${version}</version>
<channel>win</channel><mainExe>Lumen.exe</mainExe><os>win</os><rid>win-x64</rid></metadata></package>`,
);

const require = createRequire(import.meta.url);
const { UpdateManager } = require('velopack');
const locator = {
  RootAppDir: folder,
  UpdateExePath: updateExe,
  PackagesDir: packages,
  ManifestPath: manifest,
  CurrentBinaryDir: current,
  IsPortable: true,
};

async function go() {
  const manager = new UpdateManager(url, { AllowVersionDowngrade: false, ExplicitChannel: 'win' }, locator);
  const update = await manager.checkForUpdatesAsync();
  if (!update) return { version: undefined };
  const { Version, FileName, NotesMarkdown } = update.TargetFullRelease;
  if (!download) return { version: Version, notes: NotesMarkdown };
  await manager.downloadUpdateAsync(update);
  return { bytes: readFileSync(join(packages, FileName), 'utf8') };
}
const result = await go().catch((error: Error) => ({ error: String(error?.message ?? error) }));
process.stdout.write(`\n${JSON.stringify(result)}`, () => process.exit(0));
