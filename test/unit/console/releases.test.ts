import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ArtifactValues,
  artifactsWith,
  bodyOfArtifact,
  fieldsOf,
  keysOf,
  valuesOfArtifact,
} from '../../../functions/console/browser/seller/releases/artifact-values.ts';
import { targetOf } from '../../../functions/console/browser/seller/releases/file-target.ts';
import { missingFieldsIn, missingFieldsOf } from '../../../functions/console/browser/seller/releases/missing-fields.ts';
import { checkOf, isBeingChecked, usableFiles, versionsByFile } from '../../../functions/console/browser/seller/releases/release-files.ts';
import { bodyOfRelease, valuesOfRelease } from '../../../functions/console/browser/seller/releases/release-values.ts';
import { lifeOf } from '../../../functions/console/browser/seller/tokens/token-values.ts';
import { dayOf } from '../../../functions/console/browser/text/days.ts';
import { Arch, ArtifactKind, Bundle, Feed, Platform } from '../../../shared/releases/artifacts/artifact.ts';

const facts = { file_name: 'app.zip', size_bytes: 1, sha256_hex: 'ab', available: false };
const artifact = (file_id: string, more: object = {}): any => ({ file_id, platform: 'any', arch: 'any', kind: 'full', ...facts, ...more });

describe('for what a file of a release is, by its name', () => {
  test.each([
    ['App-1.4.0-arm64.dmg', { platform: 'macos', arch: 'arm64', kind: 'full' }],
    ['App_universal.app.tar.gz', { platform: 'macos', arch: 'any', kind: 'full', bundle: 'app' }],
    ['App-Setup-1.0.0-x64.exe', { platform: 'windows', arch: 'x64', kind: 'full' }],
    ['App-win32.exe.blockmap', { platform: 'windows', arch: 'x86', kind: 'blockmap' }],
    ['Lumen-1.2.0-delta.nupkg', { platform: 'windows', arch: 'any', kind: 'delta' }],
    ['app_1.0.0_amd64.deb', { platform: 'linux', arch: 'x64', kind: 'full', bundle: 'deb' }],
    ['App-aarch64.AppImage', { platform: 'linux', arch: 'arm64', kind: 'full', bundle: 'appimage' }],
    ['app-armv7.rpm', { platform: 'linux', arch: 'arm', kind: 'full', bundle: 'rpm' }],
    ['App.msi', { platform: 'windows', arch: 'any', kind: 'full', bundle: 'msi' }],
    ['app-darwin-x86_64.zip', { platform: 'macos', arch: 'x64', kind: 'full' }],
    ['notes.zip', { platform: 'any', arch: 'any', kind: 'full' }],
    ['deltarune.zip', { platform: 'any', arch: 'any', kind: 'full' }],
  ])('%s', (name, target) => expect(targetOf(name)).toEqual(target));
});

describe('the artifacts of a draft', () => {
  const text = fc.constantFrom('', '1.2', 'x');
  const artifacts = fc.array(
    fc.record(
      {
        file_id: fc.constantFrom('fil_1', 'fil_2', 'fil_3'),
        platform: fc.constantFrom(...Platform.options),
        arch: fc.constantFrom(...Arch.options),
        kind: fc.constantFrom(...ArtifactKind.options),
        feeds: fc.uniqueArray(fc.constantFrom(...Feed.options), { minLength: 1 }),
        build: fc.constantFrom('1', '1.2'),
        bundle: fc.constantFrom(...Bundle.options),
        block_map_size: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['file_id', 'platform', 'arch', 'kind'] },
    ),
    { maxLength: 6 },
  );
  const shown = (sent: object[]) => sent.map((one) => ({ ...one, ...facts })) as any;

  test('are sent as they are, without what the service says of their files', () => {
    fc.assert(fc.property(artifacts, (sent) => expect(shown(sent).map((one: any) => bodyOfArtifact(valuesOfArtifact(one)))).toEqual(sent)));
  });

  test('each have a key of their own, which stays whatever comes after', () => {
    fc.assert(
      fc.property(artifacts, fc.nat(), (sent, cut) => {
        const keys = keysOf(shown(sent));
        expect(new Set(keys).size).toBe(sent.length);
        expect(keysOf(shown(sent.slice(0, cut)))).toEqual(keys.slice(0, cut));
      }),
    );
  });

  test('change in one place, lose one, or get one more at the end', () => {
    fc.assert(
      fc.property(artifacts, fc.nat(5), text, (sent, at, build) => {
        const release = { artifacts: shown(sent) };
        const changed: any = { file_id: 'fil_9', platform: 'any', arch: 'any', kind: 'full', build };
        expect(artifactsWith(release, '', changed)).toEqual([...sent, changed]);
        const key = keysOf(release.artifacts)[at];
        if (key === undefined) return;
        expect(artifactsWith(release, key, changed)).toEqual(sent.with(at, changed));
        expect(artifactsWith(release, key)).toEqual(sent.toSpliced(at, 1));
      }),
    );
  });

  test.each<[string, Partial<ArtifactValues>, string[]]>([
    ['pages alone', {}, ['minimum_os']],
    ['Sparkle', { feeds: ['appcast'] }, ['build', 'minimum_os', 'ed25519_signature']],
    ['Tauri', { feeds: ['tauri'] }, ['minimum_os', 'bundle', 'minisign_signature']],
    ['Velopack', { feeds: ['velopack'], kind: 'delta' }, ['minimum_os', 'from_version', 'package_id']],
    ['a block map', { feeds: ['electron', 'appcast'], kind: 'blockmap' }, ['minimum_os']],
    ['what has one all the same', { build: '7' }, ['build', 'minimum_os']],
  ])('ask for what is wanted: %s', (_, values, fields) =>
    expect(fieldsOf({ ...valuesOfArtifact(artifact('fil_1')), ...values })).toEqual(fields),
  );
});

describe('what a draft lacks', () => {
  test('is told by artifact and field before the service says the same', () => {
    const lacks = missingFieldsOf({ artifacts: [artifact('fil_1', { feeds: ['appcast'] })] }, [
      { id: 'fil_1', status: 'upload_pending' } as any,
    ]);
    expect(lacks).toEqual([
      { at: 0, field: 'file_id', text: 'must be of a finalized file' },
      { at: 0, field: 'build', text: 'is missing, which appcast needs' },
      { at: 0, field: 'ed25519_signature', text: 'must be base64 of 64 bytes for appcast' },
    ]);
    expect(missingFieldsOf({ artifacts: [] }, [])).toEqual([{ field: 'artifacts', text: 'must hold at least one full' }]);
    expect(missingFieldsOf({ artifacts: [artifact('fil_1')] }, [])).toEqual([]);
  });

  test('is read of any message', () => {
    expect(missingFieldsIn('')).toEqual([]);
    expect(missingFieldsIn('The release lacks something.')).toEqual([]);
    expect(missingFieldsIn('notes must be text; artifacts.12.build is missing; nonsense')).toEqual([
      { field: 'notes', text: 'must be text' },
      { at: 12, field: 'build', text: 'is missing' },
    ]);
  });
});

describe('what is sent of a draft', () => {
  const draft = valuesOfRelease({
    version: '1.0.0',
    channel: 'stable',
    notes: 'x',
    critical: true,
    publish_on_approval: false,
    rollout_percent: 5,
    requires_features: ['a'],
    covered_at: '2026-01-31T15:30:00.000Z',
  } as any);

  test.each<[object, string[], object]>([
    [{}, [], {}],
    [{ rollout_percent: '２５' }, ['rollout_percent'], { rollout_percent: 25 }],
    [{ rollout_percent: 'half' }, ['rollout_percent'], { rollout_percent: Number.NaN }],
    [{ requires_features: [] }, ['requires_features'], { requires_features: [] }],
    [{ covered_at: 'soon' }, ['covered_at'], { covered_at: 'soon' }],
    [{ covered_at: '' }, ['covered_at'], {}],
  ])('is its version and what changed: of %j, %j', (changes, changed, sent) => {
    expect(bodyOfRelease({ ...draft, ...changes }, changed as Parameters<typeof bodyOfRelease>[1])).toEqual({ version: '1.0.0', ...sent });
  });

  test('has a day as its beginning where its seller is', () => {
    const sent = bodyOfRelease({ ...draft, covered_at: '2026-02-01' }, ['covered_at']).covered_at ?? '';
    expect([dayOf(sent), new Date(sent).getHours()]).toEqual(['2026-02-01', 0]);
  });
});

describe('files for releases', () => {
  const now = Date.parse('2026-01-01T00:10:00Z');
  const file = (change: object): any => ({
    id: 'fil_1',
    purpose: 'release',
    status: 'pending_review',
    hash_status: 'verified',
    scan_status: 'clean',
    uploaded_at: '2026-01-01T00:00:00Z',
    ...change,
  });

  test.each<[object, boolean, string[]]>([
    [{ hash_status: 'unverified', scan_status: 'not_scanned' }, true, ['hash', 'unverified']],
    [{ scan_status: 'not_scanned' }, true, ['scan', 'not_scanned']],
    [{}, false, ['scan', 'clean']],
    [{ hash_status: 'mismatch', scan_status: 'not_scanned' }, false, ['hash', 'mismatch']],
    [{ status: 'approved' }, false, ['file', 'approved']],
    [{ status: 'upload_pending', hash_status: 'unverified' }, false, ['file', 'upload_pending']],
    [{ scan_status: 'not_scanned', uploaded_at: '2025-12-31T00:00:00Z' }, false, ['scan', 'not_scanned']],
  ])('are looked at again while their checks run: %j', (change, runs, check) => {
    expect(isBeingChecked(file(change), now)).toBe(runs);
    expect(checkOf(file(change))).toEqual(check);
  });

  test('are those for releases that are not gone, each in one release', () => {
    const files = [file({}), file({ purpose: 'image' }), file({ status: 'disabled' }), file({ status: 'rejected' })];
    expect(usableFiles(files)).toEqual([files[0]]);
    const releases: any[] = [
      { version: '1.0.0', artifacts: [artifact('a'), artifact('a')] },
      { version: '2.0.0', artifacts: [artifact('b')] },
    ];
    expect([...versionsByFile(releases)]).toEqual([
      ['a', '1.0.0'],
      ['b', '2.0.0'],
    ]);
  });
});

test.each([
  ['2026-01-02T00:00:00Z', undefined, 'live'],
  ['2026-01-01T00:00:00Z', undefined, 'expired'],
  ['2026-01-02T00:00:00Z', '2025-12-01T00:00:00Z', 'revoked'],
] as const)('a token that expires at %s, revoked at %s, is %s', (expires_at, revoked_at, life) =>
  expect(lifeOf({ expires_at, ...(revoked_at && { revoked_at }) }, Date.parse('2026-01-01T00:00:00Z'))).toBe(life),
);
