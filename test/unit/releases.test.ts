import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import parseSemver from 'semver/functions/parse.js';
import { ArtifactFile, type ArtifactWithFile, type Platform, StoredArtifact } from '../../shared/releases/artifacts/artifact.ts';
import { submissionFaults } from '../../shared/releases/artifacts/submission.ts';
import { buildsOn, staysAscending } from '../../shared/releases/builds.ts';
import { channelsUpTo, compareDotted, compareVersions, installedVersion, isDottedNumbers } from '../../shared/releases/versions/version.ts';
import { isStableVersion, isVersion } from '../../shared/releases/versions/version-form.ts';

describe('versions of releases', () => {
  test('are three numbers, and what is before a release', () => {
    const small = ['1.0.0', '0.0.0', '1.2.3-rc.1', '1.0.0-alpha', '10.20.30-x.7.z-92', '999999999.0.0', '1.0.0-a1234567890', '1.0.0--'];
    const longest = `1.0.0-${'a'.repeat(58)}`;
    expect([...small, longest].filter((version) => !isVersion(version))).toEqual([]);
    const parts = ['', '1', '1.0', '1.0.0+build', '01.0.0', '1.0.0-01', '1.0.0-', '1.0.0-é', 'v1.0.0', '=1.0.0', ' 1.0.0', '1.0.0 '];
    const numbers = ['1234567890.0.0', '1.0.1234567890', '1.0.0-rc.1234567890'];
    expect([...parts, ...numbers, `${longest}a`].filter(isVersion)).toEqual([]);
  });

  test('are what SemVer takes as it stands', () => {
    const parts = fc.array(fc.constantFrom('0', '1', '10', '007', 'a', 'rc', '-', '.', '1.0.0', '+', 'v', ' ', '123456789'), {
      maxLength: 9,
    });
    const written = fc.tuple(fc.constantFrom('', '1.0.0-', '1.2.'), parts).map(([begin, rest]) => begin + rest.join(''));
    fc.assert(
      fc.property(written, (value) => {
        const isSmall = value.length <= 64 && !/(?:^|[.-])\d{10,}(?=$|[.-])/.test(value);
        expect(isVersion(value)).toBe(isSmall && parseSemver(value)?.version === value);
      }),
      { numRuns: 2000 },
    );
  });

  test('stand in the precedence of SemVer', () => {
    const early = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1'];
    const ascending = [...early, '1.0.0', '1.0.10', '1.2.0'];
    expect(ascending.toReversed().toSorted(compareVersions)).toEqual(ascending);
  });

  test.each([
    ['1.2.0', '1.2.0'],
    ['1.2.0+build.51.a-b', '1.2.0'],
    ['1.2.0-rc.1+5', '1.2.0-rc.1'],
    ['1.2.0+é', undefined],
    ['1.2.0+a..b', undefined],
    ['1.2.0+a+b', undefined],
    ['1.2.0+a.é', undefined],
    ['v1.2.0', undefined],
  ])('an updater that says it runs %s runs %s', (told, version) => expect(installedVersion.safeParse(told).data).toBe(version));

  test('without prerelease are stable', () => expect(['1.0.0', '1.0.0-rc.1'].map(isStableVersion)).toEqual([true, false]));

  test('a channel offers what is steadier too', () => {
    expect(channelsUpTo('stable')).toEqual(['stable']);
    expect(channelsUpTo('beta')).toEqual(['stable', 'rc', 'beta']);
  });
});

describe('dotted numbers', () => {
  test('are one to four, of eighteen digits at most', () => {
    const none = ['', '1.', '.1', '1.2.3.4.5', '1234567890123456789', '1.a', '-1', '1 '];
    const some = ['1', '1.2.3.4', '12.34.999999999', '999999999999999999', '0.0', '007', '202611281530'];
    expect([...none, ...some].filter(isDottedNumbers)).toEqual(some);
  });

  test.each([
    ['1.2', '1.2.0', 0],
    ['1.10', '1.9', 1],
    ['2', '1.999999999', 1],
    ['202611281530', '99', 1],
    ['900719925474099301', '900719925474099302', -1],
    ['007', '7.0', 0],
    ['1.0.0.1', '1', 1],
    ['12.6', '13.0', -1],
  ])('%s compared with %s', (a, b, order) => expect(Math.sign(compareDotted(a, b))).toBe(order));
});

const signature = Buffer.alloc(64, 1).toString('base64');

function artifact(change: Partial<ArtifactWithFile> = {}): ArtifactWithFile {
  const file = { fileName: 'app.zip', contentType: 'application/zip', sizeBytes: 1, sha256Hex: 'ab', available: false };
  return {
    ...StoredArtifact.parse({ fileId: 'fil_1', platform: 'macos', arch: 'x64', kind: 'full' }),
    ...ArtifactFile.parse(file),
    ...change,
  };
}
const faults = (...artifacts: ArtifactWithFile[]) => submissionFaults(artifacts, () => true);
const named = (fileName: string, change: Partial<ArtifactWithFile> = {}) => artifact({ fileName, ...change });
const appcast = (change: Partial<ArtifactWithFile> = {}) =>
  artifact({ feeds: ['appcast'], build: '1', ed25519Signature: signature, ...change });
const delta = (change: Partial<ArtifactWithFile> = {}) =>
  appcast({ kind: 'delta', build: undefined, fileName: 'app.delta', fromVersion: '1.0.0', ...change });
const velopack = (change: Partial<ArtifactWithFile> = {}) =>
  artifact({ feeds: ['velopack'], packageId: 'App', fileName: 'App-1-full.nupkg', ...change });

const electron = (change: Partial<ArtifactWithFile> = {}) => artifact({ feeds: ['electron'], ...change });
/** Platform, file and, where electron-updater cannot install it, what is lacking. */
const installable = `
  windows app-setup.EXE
  windows app-portable.exe 0.file_id
  windows app.zip 0.file_id
  windows app.msi 0.file_id
  macos app.zip
  macos app.dmg 0.file_id
  macos app.pkg 0.file_id
  linux app.AppImage
  linux app.deb
  linux app.rpm
  linux app.pacman
  linux app.tar.gz 0.file_id
  linux app.snap 0.file_id
  any app.exe
  any app.zip
  any setup 0.file_id`
  .trim()
  .split('\n')
  .map((row) => row.trim());

describe('what a release lacks to be handed in', () => {
  test('is nothing of one full for pages', () => expect(faults(artifact())).toEqual([]));

  test('is a full, where there is none', () => {
    expect(faults()).toEqual(['artifacts must hold at least one full']);
    expect(faults(delta())).toEqual(['artifacts must hold at least one full']);
  });

  test('is a file that was finalized', () =>
    expect(submissionFaults([artifact()], () => false)).toEqual(['artifacts.0.file_id must be of a finalized file']));

  const signed = (bytes: Buffer, encoding: BufferEncoding = 'base64') => appcast({ ed25519Signature: bytes.toString(encoding) });
  const tauri = (minisignSignature?: string) => artifact({ feeds: ['tauri'], minisignSignature });
  const blockMap = (fileName: string, change: Partial<ArtifactWithFile> = {}) => named(fileName, { kind: 'blockmap', ...change });
  const installer = named('app.exe');

  test.each<[string, ArtifactWithFile[], string?]>([
    ['an appcast full', [appcast()]],
    ['one without build', [appcast({ build: undefined })], '0.build'],
    ['one without signature', [appcast({ ed25519Signature: undefined })], '0.ed25519_signature'],
    ['one whose signature has 63 bytes', [signed(Buffer.alloc(63))], '0.ed25519_signature'],
    ['one whose signature is base64url', [signed(Buffer.alloc(64, 255), 'base64url')], '0.ed25519_signature'],
    ['one without both', [appcast({ build: undefined, ed25519Signature: '!' })], '0.build 0.ed25519_signature'],
    ['an appcast delta needs no build', [appcast(), delta()]],
    ['a delta without signature', [appcast(), delta({ ed25519Signature: undefined })], '1.ed25519_signature'],
    ['a delta that leads from nowhere', [appcast(), delta({ fromVersion: undefined })], '1.from_version'],
    ['a delta for pages', [artifact(), delta({ feeds: undefined })], '1.feeds'],
    ['a delta for electron', [artifact(), delta({ feeds: ['electron'] })], '1.feeds'],
    ['a delta for velopack', [velopack(), velopack({ kind: 'delta', fileName: 'App-1-delta.nupkg', fromVersion: '1.0.0' })]],
    ...['YQ==', 'YWI=', 'YWJj'].map((text): [string, ArtifactWithFile[]] => [`a full for tauri, signed ${text}`, [tauri(text)]]),
    ...[undefined, 'untrusted comment', 'YWJ', 'Y=', '!!!=', ''].map((text): [string, ArtifactWithFile[], string] => [
      `a full for tauri, signed ${text}`,
      [tauri(text)],
      '0.minisign_signature',
    ]),
    ...installable.map((name): [string, ArtifactWithFile[], string?] => {
      const [platform = 'any', fileName = '', lacking = ''] = name.split(' ');
      return [`${fileName} for electron on ${platform}`, [electron({ platform: platform as Platform, fileName })], lacking];
    }),
    ['a disk image beside its archive', [electron({ fileName: 'app.dmg' }), electron()]],
    ['one beside the archive of another arch', [electron({ fileName: 'app.dmg' }), electron({ arch: 'arm64' })], '0.file_id'],
    ['one beside an archive for pages', [electron({ fileName: 'app.dmg' }), artifact()], '0.file_id'],
    ['a portable program for pages', [artifact({ platform: 'windows', fileName: 'app-portable.exe' })]],
    ['a block map for every updater', [installer, blockMap('app.exe.blockmap', { feeds: ['appcast', 'tauri', 'velopack'] })]],
    ['a block map of a full', [installer, blockMap('app.exe.blockmap')]],
    ['a block map of a delta', [appcast(), delta(), blockMap('app.delta.blockmap')], '2.file_id'],
    ['a block map of a full for another arch', [installer, blockMap('app.exe.blockmap', { arch: 'arm64' })], '1.file_id'],
    ['a block map of a full for another platform', [installer, blockMap('app.exe.blockmap', { platform: 'linux' })], '1.file_id'],
    ['a block map of nothing', [installer, blockMap('other.exe.blockmap')], '1.file_id'],
    ['a full for velopack', [velopack()]],
    ['one without package id', [velopack({ packageId: undefined })], '0.package_id'],
    ['one that is no nupkg', [velopack({ fileName: 'App.nupkg.zip' })], '0.file_id'],
    ['a NUPKG in capitals', [velopack({ fileName: 'APP.NUPKG' })]],
  ])('%s', (...[, artifacts, lacking = '']) => {
    const fields = faults(...artifacts).map((fault) => fault.slice('artifacts.'.length, fault.indexOf(' ')));
    expect(fields.join(' ')).toBe(lacking);
  });

  test.each<[string, Partial<ArtifactWithFile>, Partial<ArtifactWithFile>, boolean]>([
    ['two for one updater', { feeds: ['electron', 'appcast'] }, { feeds: ['appcast'] }, false],
    ['two for two updaters', { feeds: ['electron'] }, { feeds: ['tauri'] }, true],
    ['two for pages', {}, {}, true],
    ['two platforms', { feeds: ['electron'] }, { feeds: ['electron'], platform: 'linux' }, true],
    ['two architectures', { feeds: ['electron'] }, { feeds: ['electron'], arch: 'arm64' }, true],
    ['two bundles for tauri', { feeds: ['tauri'], bundle: 'app' }, { feeds: ['tauri'] }, true],
    ['one bundle twice for tauri', { feeds: ['tauri'], bundle: 'deb' }, { feeds: ['tauri'], bundle: 'deb' }, false],
    ['two bundles for electron', { feeds: ['electron'], bundle: 'app' }, { feeds: ['electron'], bundle: 'deb' }, false],
    ['two extensions for electron', { feeds: ['electron'], fileName: 'a.zip' }, { feeds: ['electron'], fileName: 'b.dmg' }, true],
    ['one extension in two cases', { feeds: ['electron'], fileName: 'a.zip' }, { feeds: ['electron'], fileName: 'b.ZIP' }, false],
  ])('one full in each place: %s', (_, first, second, fine) => {
    const whole = { build: '1', ed25519Signature: signature, minisignSignature: 'YQ==' };
    const found = faults(artifact({ ...whole, fileName: 'one.zip', ...first }), artifact({ ...whole, fileName: 'two.zip', ...second }));
    const fault = 'artifacts.1.feeds must not offer a full for the same platform, arch and updater as artifacts.0';
    expect(found.filter((each) => each.includes('.feeds '))).toEqual(fine ? [] : [fault]);
  });

  test('is another name, where one of its target has it, letter case aside', () => {
    const fault = 'artifacts.1.file_id must not be of a file with the same name, platform and arch as artifacts.0';
    expect(faults(named('App.zip'), named('app.ZIP'))).toEqual([fault]);
    expect(faults(named('App.zip'), named('app.ZIP', { arch: 'arm64' }))).toEqual([]);
  });

  test('is told of every artifact at once', () =>
    expect(faults(appcast({ build: undefined }), delta({ fromVersion: undefined }), velopack({ packageId: undefined }))).toHaveLength(3));
});

describe('builds', () => {
  const release = (version: string) => ({ version });
  const span = (version: string, lowest: string, highest = lowest) => ({ version, lowest, highest });

  test('are those of a platform, and of any', () => {
    const artifacts = [
      appcast({ build: '7' }),
      appcast({ build: '5', platform: 'any' }),
      appcast({ build: '6', platform: 'any' }),
      appcast({ build: '6', platform: 'windows' }),
      artifact({ build: '1' }),
    ];
    expect(buildsOn('macos', release('1.0.0'), artifacts)).toEqual(span('1.0.0', '5', '7'));
    expect(buildsOn('linux', release('1.0.0'), artifacts)).toEqual(span('1.0.0', '5', '6'));
    expect(buildsOn('linux', release('1.0.0'), [artifact({ build: '1' })])).toBeUndefined();
  });

  test.each<[string, ReturnType<typeof span>, boolean]>([
    ['above the highest', span('3.0.0', '31'), true],
    ['the same as the one below', span('3.0.0', '30'), false],
    ['the same as the one below, in other words', span('3.0.0', '30.0.0'), false],
    ['below the lowest', span('0.9.0', '9.9'), true],
    ['of what is published already', span('1.0.0', '10'), true],
    ['the same as the one above', span('0.9.0', '10'), false],
    ['between two', span('1.5.0', '11', '19'), true],
    ['a prerelease between two', span('2.0.0-rc.1', '15'), true],
    ['reaching into the one above', span('1.5.0', '11', '20'), false],
  ])('rise with versions: %s', (_, added, rises) =>
    expect(staysAscending(added, [span('2.0.0', '20', '30'), span('1.0.0', '10')])).toBe(rises),
  );
});
