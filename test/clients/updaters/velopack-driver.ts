/** What an app with Velopack does: runs the code of the guide, or asks at an address, and downloads what there is. Prints what came of it as JSON. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runSnippet } from './run-snippet.ts';

interface Task {
  folder: string;
  version: string;
  /** What the guide shows, and what it wants of the client. */
  snippet: string;
  key: string;
  fingerprint: string;
  /** Asked in the place of the snippet. */
  url?: string;
  download?: boolean;
}
const task: Task = JSON.parse(process.argv[2] ?? '');
const { folder, url, version, download } = task;

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

let manager: any;
let update: any;
/** Of an app that was installed. */
class InstalledManager extends UpdateManager {
  constructor(address: string) {
    super(address, { AllowVersionDowngrade: false, ExplicitChannel: 'win' }, locator);
    manager = this;
  }
  async checkForUpdatesAsync() {
    update = await super.checkForUpdatesAsync();
    return update;
  }
}

async function go() {
  if (url === undefined) await runSnippet(task, { velopack: { UpdateManager: InstalledManager } });
  else await new InstalledManager(url).checkForUpdatesAsync();
  if (!update) return { version: undefined };
  const { Version, FileName, NotesMarkdown } = update.TargetFullRelease;
  if (!download) return { version: Version, notes: NotesMarkdown };
  await manager.downloadUpdateAsync(update);
  return { bytes: readFileSync(join(packages, FileName), 'utf8') };
}
const result = await go().catch((error: Error) => ({ error: String(error?.message ?? error) }));
process.stdout.write(`\n${JSON.stringify(result)}`, () => process.exit(0));
