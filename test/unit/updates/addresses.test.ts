import { expect, test } from '@jest/globals';
import { AppError } from '../../../shared/errors.ts';
import {
  createLinks,
  isVelopackFeed,
  parseElectronScope,
  parseFeedScope,
  parseTauriScope,
} from '../../../shared/updates/feeds/feed-addresses.ts';

const said = (parse: () => { channel: string; target: { platform: string; arch: string } }) => {
  try {
    const { channel, target } = parse();
    return `${channel} ${target.platform} ${target.arch}`;
  } catch (error) {
    return `${error instanceof AppError && error.code}: ${error instanceof Error && error.message}`;
  }
};

const wrong = (...faults: string[]) => `invalid_request: ${faults.join('; ')}`;
const [channels, platforms] = ['channel must be one of stable, rc, beta, alpha, dev', 'platform must be one of windows, macos, linux'];
const archs = 'arch must be one of x64, arm64, x86, arm';
test.each([
  [['rc', 'windows', 'arm'], 'rc windows arm'],
  [['nightly', 'windows', 'x64'], wrong(channels)],
  [['stable', 'any', 'x64'], wrong(platforms)],
  [['stable', 'linux', 'any'], wrong(archs)],
  [['', 'BeOS', '__proto__'], wrong(channels, platforms, archs)],
])('an address of %j follows %s', ([channel = '', platform = '', arch = ''], expected) => {
  expect(said(() => parseFeedScope({ channel, platform, arch }))).toBe(expected);
});

const [targets, tauriArchs] = ['target must be one of windows, darwin, linux', 'arch must be one of x86_64, aarch64, i686, armv7'];
test.each([
  [['darwin', 'aarch64'], 'beta macos arm64'],
  [['windows', 'x86_64'], 'beta windows x64'],
  [['linux', 'i686'], 'beta linux x86'],
  [['linux', 'armv7'], 'beta linux arm'],
  [['macos', 'x86_64'], wrong(targets)],
  [['linux', 'x64'], wrong(tauriArchs)],
  [['constructor', 'any'], wrong(targets, tauriArchs)],
])('Tauri on %j follows %s', ([target = '', arch = ''], expected) => {
  expect(said(() => parseTauriScope({ channel: 'beta', target, arch }))).toBe(expected);
});

const unnamed = 'invalid_request: file_name must be a channel’s, such as latest.yml or beta-mac.yml';
test.each([
  ['latest.yml', 'stable windows every'],
  ['stable.yml', 'stable windows every'],
  ['beta-mac.yml', 'beta macos every'],
  ['latest-linux.yml', 'stable linux x64'],
  ['rc-linux-arm64.yml', 'rc linux arm64'],
  ['dev-linux-arm.yml', 'dev linux arm'],
  ['alpha-linux-ia32.yml', 'alpha linux x86'],
  ['nightly.yml', unnamed],
  ['latest-linux-x64.yml', unnamed],
  ['latest-win.yml', unnamed],
  ['latest.yaml', unnamed],
  ['1latest.yml', unnamed],
  ['latest.yml.bak', unnamed],
  ['LATEST.yml', unnamed],
  ['.yml', unnamed],
])('electron-updater’s %s follows %s', (name, expected) => {
  expect(said(() => parseElectronScope(name))).toBe(expected);
});

test.each([
  ['releases.win.json', true],
  ['RELEASES.stable.JSON', true],
  ['releases.win-x64.stable.json', true],
  ['releases.json', false],
  ['my-releases.win.json', false],
  ['releases.win.json.bak', false],
  ['Lumen-1.0.0-full.nupkg', false],
])('Velopack asks for its feed by %s: %s', (name, is) => {
  expect(isVelopackFeed(name)).toBe(is);
});

test('links stay as they are, with the proof that was shown', () => {
  const links = createLinks({ publicBaseUrl: 'https://a.example', productId: 'prd_1', slug: '写真館', proof: '-' });
  expect(links.fileUrl('1.0.0-rc.1', { platform: 'any', arch: 'x64', fileName: 'A.exe' })).toBe(
    'https://a.example/v1/updates/prd_1/-/files/1.0.0-rc.1/any-x64/A.exe',
  );
  expect(links.releasesUrl).toBe('https://a.example/p/%E5%86%99%E7%9C%9F%E9%A4%A8/releases');
});
