/**
 * What an Electron app does: runs the code of the guide, or asks at an address of one's own, and downloads what there is.
 * Prints what came of it as JSON. Of Electron it needs a network and an app, which stand here in plain Node.
 */
import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { runSnippet } from './run-snippet.ts';

interface Task {
  folder: string;
  platform: 'win32' | 'darwin' | 'linux';
  version: string;
  /** What the guide shows, and the lease that it wants. */
  snippet: string;
  lease: string;
  /** On Linux: what electron-builder says that this was installed as. */
  packageType?: 'deb';
  /** Asked in the place of the snippet, with a ticket in it. */
  url?: string;
  download?: boolean;
  /** Whether what is downloaded arrives with other bytes than were sent. */
  spoilt?: boolean;
}
const task: Task = JSON.parse(process.argv[2] ?? '');

/** As Electron's: a redirect is told, and not followed. */
function netRequest({ protocol, hostname, port, path, method, headers }: any) {
  const told: any = new EventEmitter();
  const inner = httpRequest({ protocol, hostname, port, path, method, headers }, (response) => {
    const { statusCode = 0, headers: received } = response;
    if (statusCode >= 300 && statusCode < 400 && received.location) {
      response.resume();
      told.emit('redirect', statusCode, method, new URL(received.location, `${protocol}//${hostname}:${port}`).href);
    } else told.emit('response', task.spoilt && !path.includes('.yml') ? spoilt(response) : response);
  });
  inner.on('error', (error) => told.emit('error', error));
  return Object.assign(told, {
    end: (data?: string) => inner.end(data),
    write: (data: string) => inner.write(data),
    abort: () => inner.destroy(),
  });
}

function spoilt(response: IncomingMessage) {
  const { statusCode, headers } = response;
  const change = new Transform({ transform: (chunk: Buffer, _, done) => done(null, Buffer.from(chunk.map((byte) => byte ^ 1))) });
  return Object.assign(response.pipe(change), { statusCode, headers });
}

const electron = {
  app: { getVersion: () => task.version, getName: () => 'Lumen', isPackaged: true, once: () => undefined },
  autoUpdater: Object.assign(new EventEmitter(), { setFeedURL: () => undefined, checkForUpdates: () => undefined }),
  net: { request: netRequest },
  session: { fromPartition: () => ({}) },
};
const loader: any = Module;
const load = loader._load;
loader._load = (name: string, ...rest: unknown[]) => (name === 'electron' ? electron : load(name, ...rest));

const config = join(task.folder, 'app-update.yml');
writeFileSync(config, 'provider: generic\nurl: http://127.0.0.1:9\nupdaterCacheDirName: lumen\n');
process.env['APPIMAGE'] = join(task.folder, 'Lumen.AppImage');
const adapter = {
  whenReady: async () => undefined,
  version: task.version,
  name: 'Lumen',
  isPackaged: true,
  appUpdateConfigPath: config,
  userDataPath: task.folder,
  baseCachePath: task.folder,
  quit: () => undefined,
  relaunch: () => undefined,
  onQuit: () => undefined,
};

const require = createRequire(import.meta.url);
const { NsisUpdater, MacUpdater, AppImageUpdater, DebUpdater } = require('electron-updater');
const { ElectronHttpExecutor } = require('electron-updater/out/electronHttpExecutor');
const Updater = { win32: NsisUpdater, darwin: MacUpdater, linux: task.packageType ? DebUpdater : AppImageUpdater }[task.platform];
const updater = new Updater(null, adapter);
Object.assign(updater, {
  _testOnlyOptions: { platform: task.platform },
  logger: null,
  autoDownload: false,
  autoInstallOnAppQuit: false,
  disableDifferentialDownload: true,
});
// An adapter of one's own comes without network.
updater.httpExecutor = new ElectronHttpExecutor();
updater.on('error', () => undefined);

async function check() {
  if (task.url !== undefined) {
    updater.setFeedURL({ provider: 'generic', url: task.url });
    return updater.checkForUpdates();
  }
  const checkForUpdates = updater.checkForUpdates.bind(updater);
  let checked: any;
  updater.checkForUpdates = () => (checked = checkForUpdates());
  Object.assign(process, { resourcesPath: task.folder });
  if (task.packageType) writeFileSync(join(task.folder, 'package-type'), task.packageType);
  await runSnippet(task, { electron, 'electron-updater': { autoUpdater: updater } });
  return checked;
}

async function go() {
  const { isUpdateAvailable, updateInfo } = await check();
  if (!task.download)
    return { isUpdateAvailable, version: updateInfo.version, notes: updateInfo.releaseNotes, date: updateInfo.releaseDate };
  await updater.downloadUpdate();
  return { bytes: readFileSync(updater.downloadedUpdateHelper.file, 'utf8') };
}
const result = await go().catch((error: Error & { code?: string }) => ({ error: error.code ?? error.message }));
process.stdout.write(JSON.stringify(result), () => process.exit(0));
