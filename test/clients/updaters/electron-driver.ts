/**
 * What an Electron app does: asks for an update and downloads it. Prints what came of it as JSON. Of Electron it needs
 * a network and an app, which stand here in plain Node.
 */
import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { Transform } from 'node:stream';

interface Task {
  folder: string;
  platform: 'win32' | 'darwin' | 'linux';
  url: string;
  version: string;
  headers?: Record<string, string>;
  channel?: string;
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
const { NsisUpdater, MacUpdater, AppImageUpdater } = require('electron-updater');
const { ElectronHttpExecutor } = require('electron-updater/out/electronHttpExecutor');
const Updater = { win32: NsisUpdater, darwin: MacUpdater, linux: AppImageUpdater }[task.platform];
const updater = new Updater({ provider: 'generic', url: task.url }, adapter);
Object.assign(updater, {
  _testOnlyOptions: { platform: task.platform },
  logger: null,
  autoDownload: false,
  autoInstallOnAppQuit: false,
  disableDifferentialDownload: true,
});
if (task.channel !== undefined) updater.channel = task.channel;
// An adapter of one's own comes without network.
updater.httpExecutor = new ElectronHttpExecutor();
updater.setFeedURL({ provider: 'generic', url: task.url });
updater.requestHeaders = task.headers ?? null;
updater.on('error', () => undefined);

async function go() {
  const { isUpdateAvailable, updateInfo } = await updater.checkForUpdates();
  if (!task.download)
    return { isUpdateAvailable, version: updateInfo.version, notes: updateInfo.releaseNotes, date: updateInfo.releaseDate };
  await updater.downloadUpdate();
  return { bytes: readFileSync(updater.downloadedUpdateHelper.file, 'utf8') };
}
const result = await go().catch((error: Error & { code?: string }) => ({ error: error.code ?? error.message }));
process.stdout.write(JSON.stringify(result), () => process.exit(0));
