import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Arch, ArtifactWithFile, Bundle, Feed, Platform } from '../../../shared/releases/artifacts/artifact.ts';
import { ReleaseRecord } from '../../../shared/releases/release.ts';
import { type Channel, channels, compareDotted, compareVersions } from '../../../shared/releases/versions/version.ts';
import {
  createCatalog,
  type FeedAudience,
  maxReleasesPerChannel,
  type PublishedRelease,
  publishedReleaseOf,
} from '../../../shared/updates/catalog/catalog.ts';
import {
  chooseUpdates,
  joinChoices,
  type UpdateChoice,
  type UpdateOutcome,
  type UpdaterDevice,
} from '../../../shared/updates/catalog/choose-updates.ts';
import { isRolledOut } from '../../../shared/updates/catalog/rollout.ts';
import { tries } from '../../support/depth.ts';
import { artifact, published } from '../../support/samples/releases/published.ts';

const approved = ReleaseRecord.parse({
  ...{ id: 'rel_1', productId: 'prd_1', sellerId: 'sel_1', version: '1.0.0', channel: 'stable', notes: 'New', critical: true },
  ...{ publishOnApproval: false, requiresFeatures: ['pro'], status: 'approved', createdAt: '2026-02-01T09:00:00.000Z', revision: 3 },
  ...{ artifacts: [], files: {} },
});
const windows: FeedAudience = { feed: 'appcast', channel: 'stable', target: { platform: 'windows', arch: 'x64' } };
const anyone: UpdaterDevice = { covers: () => true, device: 'device' };
const notCovering = (...versions: string[]): UpdaterDevice => ({ ...anyone, covers: ({ version }) => !versions.includes(version) });

const offersOf = (releases: PublishedRelease[], asker: Partial<UpdaterDevice> = {}, audience: Partial<FeedAudience> = {}) =>
  chooseUpdates(createCatalog(releases).candidatesFor({ ...windows, ...audience }), { ...anyone, ...asker }, 10);
const shown = ({ code, offered, upgrade }: UpdateChoice) => {
  const versions = offered.map(({ release }) => release.version);
  return [code, ...versions, ...(upgrade ? ['upgrade', upgrade.release.version] : [])].join(' ');
};

describe('what is offered', () => {
  const three = ['1.0.0', '1.10.0', '1.9.0'].map((version) => published(version));
  const beta = published('2.0.0-beta.1');

  const heldBack = (version: string) => published(version, { rolloutPercent: 0 });
  const withOne = (fields: Parameters<typeof artifact>[0]) => [published('1.0.0', { artifacts: [artifact(fields)] })];
  const onMac: Partial<FeedAudience> = { target: { platform: 'macos', arch: 'x64' } };

  test.each<[string, PublishedRelease[], Partial<UpdaterDevice>, Partial<FeedAudience>, string]>([
    ['all, highest first', three, {}, {}, 'update_available 1.10.0 1.9.0 1.0.0'],
    ['what is above the present version', three, { current: '1.9.0' }, {}, 'update_available 1.10.0'],
    ['nothing to what is higher', three, { current: '2.0.0-rc.1' }, {}, 'up_to_date'],
    ['nothing where there is nothing', [], {}, {}, 'no_release'],
    ['nothing on another platform', three, {}, onMac, 'no_release'],
    ['no steadier channel’s follower what is not', [...three, beta], { current: '1.9.0' }, {}, 'update_available 1.10.0'],
    ['what is steadier too', [...three, beta], { current: '1.9.0' }, { channel: 'dev' }, 'update_available 2.0.0-beta.1 1.10.0'],
    [
      'both in their order',
      [...three, published('1.9.5-beta.1')],
      {},
      { channel: 'beta' },
      'update_available 1.10.0 1.9.5-beta.1 1.9.0 1.0.0',
    ],
    ['the last that is covered', three, notCovering('1.10.0'), {}, 'update_available 1.9.0 1.0.0'],
    ['an upgrade where nothing newer is covered', three, { ...notCovering('1.10.0'), current: '1.9.0' }, {}, 'not_covered upgrade 1.10.0'],
    ['no upgrade without the present version', three, { covers: () => false }, {}, 'not_covered'],
    [
      'no upgrade beside what is held back',
      [...three, heldBack('1.9.5')],
      { ...notCovering('1.10.0'), current: '1.9.0' },
      {},
      'not_covered',
    ],
    ['no upgrade to what is held back', [heldBack('2.0.0'), ...three], { ...notCovering('2.0.0'), current: '1.10.0' }, {}, 'up_to_date'],
    ['the one below what is held back', [heldBack('2.0.0'), ...three], { current: '1.9.0' }, {}, 'update_available 1.10.0'],
    ['nothing that needs a newer system', withOne({ minimumOs: '10.0.22000' }), { os: '10.0.19045' }, {}, 'up_to_date'],
    ['what the system is just enough for', withOne({ minimumOs: '13' }), { os: '13.0.0' }, {}, 'update_available 1.0.0'],
    ['everything to a system that is not told', withOne({ minimumOs: '99' }), {}, {}, 'update_available 1.0.0'],
    ['by itself what is in any feed', withOne({ feeds: ['tauri'] }), {}, { feed: undefined }, 'update_available 1.0.0'],
    ['nothing that is for pages alone', withOne({ feeds: [] }), {}, { feed: undefined }, 'no_release'],
  ])('offers %s', (_what, releases, asker, audience, expected) => {
    expect(shown(offersOf(releases, asker, audience))).toBe(expected);
  });

  test('no more than there is room for', () => {
    expect(shown(chooseUpdates(createCatalog(three).candidatesFor(windows), anyone, 2))).toBe('update_available 1.10.0 1.9.0');
  });

  test('each audience its own, of one catalog', () => {
    const catalog = createCatalog([...three, beta]);
    const highest = (audience: Partial<FeedAudience>) => catalog.candidatesFor({ ...windows, ...audience })[0]?.release.version;
    const asked = [{}, { channel: 'beta' }, { target: { platform: 'linux', arch: 'x64' } }, {}] as const;
    expect(asked.map(highest)).toEqual(['1.10.0', '2.0.0-beta.1', undefined, '1.10.0']);
    const [deb, zip, rpm] = [artifact({ bundle: 'deb' }), artifact({ feeds: ['electron'] }), artifact({ arch: 'arm64', bundle: 'rpm' })];
    const linux = createCatalog([published('1.0.0', { artifacts: [deb, zip, rpm] })]);
    const bundles = [undefined, 'deb', 'rpm', undefined, 'deb'] as const;
    const fulls = (audience: Partial<FeedAudience>) => linux.candidatesFor({ ...windows, feed: 'tauri', ...audience })[0]?.fullPackages;
    expect(bundles.map((bundle) => fulls({ bundle }))).toEqual([[deb], [deb], undefined, [deb], [deb]]);
    const others = [{ feed: 'electron' }, {}, { target: { platform: 'windows', arch: 'arm64' } }] as const;
    expect(others.map(fulls)).toEqual([[deb, zip], [deb], [rpm]]);
  });

  test('nothing that is not published, and of a release the time that it names', () => {
    const record = { ...approved, status: 'published', publishedAt: '2026-03-01T09:00:00.000Z' } as const;
    expect(publishedReleaseOf(record)).toEqual({
      ...{ id: record.id, version: '1.0.0', channel: 'stable', notes: 'New', critical: true, rolloutPercent: 100 },
      ...{ publishedAt: record.publishedAt, coveredAt: record.publishedAt, requiresFeatures: ['pro'], artifacts: [] },
    });
    const coveredAt = '2026-01-01T09:00:00.000Z';
    expect(publishedReleaseOf({ ...record, coveredAt, rolloutPercent: 7 })).toMatchObject({ coveredAt, rolloutPercent: 7 });
    expect(publishedReleaseOf({ ...record, status: 'yanked' })).toBeUndefined();
    expect(publishedReleaseOf({ ...approved, coveredAt })).toBeUndefined();
  });

  test('of each channel the 200 highest, so that a lively one hides no other', () => {
    const lively = Array.from({ length: maxReleasesPerChannel + 5 }, (_, build) => published(`2.0.0-beta.${build}`));
    const candidates = createCatalog([...lively, published('1.0.0')]).candidatesFor({ ...windows, channel: 'beta' });
    expect(candidates.length).toBe(maxReleasesPerChannel + 1);
    expect([0, -2, -1].map((at) => candidates.at(at)?.release.version)).toEqual(['2.0.0-beta.204', '2.0.0-beta.5', '1.0.0']);
  });

  const places: [Platform, Arch][] = [
    ['windows', 'x64'],
    ['windows', 'any'],
    ['any', 'x64'],
    ['any', 'any'],
  ];
  test.each(places.map((_, at) => at))('takes the first place that has a full, %#', (at) => {
    const artifacts = [...places.slice(at).toReversed(), ['windows', 'arm64'] as const, ['linux', 'x64'] as const].map(([platform, arch]) =>
      artifact({ platform, arch }),
    );
    const [full, ...others] = offersOf([published('1.0.0', { artifacts })]).offered[0]?.fullPackages ?? [];
    expect([full?.platform, full?.arch, others]).toEqual([...(places[at] ?? []), []]);
  });

  test.each<[Bundle | undefined, (Bundle | undefined)[], (Bundle | undefined)[]]>([
    ['deb', ['rpm', undefined, 'deb'], ['deb', undefined]],
    ['deb', ['rpm', 'appimage'], []],
    [undefined, ['rpm', 'deb', 'msi', 'nsis', 'appimage', 'app', undefined], [undefined, 'app', 'appimage', 'nsis', 'msi', 'deb', 'rpm']],
  ])('chooses for bundle %s among %j', (bundle, given, expected) => {
    const releases = [published('1.0.0', { artifacts: given.map((own) => artifact({ bundle: own })) })];
    expect(offersOf(releases, {}, { feed: 'tauri', bundle }).offered[0]?.fullPackages.map((full) => full.bundle) ?? []).toEqual(expected);
  });

  test('every arch in its order to an updater that does not tell its own', () => {
    const artifacts = (['arm', 'x86', 'arm64', 'any', 'x64'] as const).map((arch) => artifact({ arch }));
    const releases = [published('1.0.0', { artifacts: [...artifacts, artifact({ platform: 'any' })] })];
    const target = { platform: 'windows', arch: 'every' } as const;
    const [offer] = offersOf(releases, {}, { feed: 'electron', target }).offered;
    expect(offer?.fullPackages.map(({ arch }) => arch)).toEqual(['x64', 'any', 'arm64', 'x86', 'arm']);
  });

  test.each<[string, Arch[][], string | undefined, Arch[]]>([
    ['the highest that most can run', [['arm64', 'x86'], ['arm64', 'x64'], ['x64']], '1.0.1', ['x64', 'arm64']],
    ['one for any', [['arm64'], ['any']], '1.0.0', ['any']],
    ['nothing where there is none', [['arm64'], ['x86', 'arm']], undefined, []],
  ])('to it %s, so that none is given what it cannot run', (_, arches, version, given) => {
    const releases = arches.map((each, at) =>
      published(`1.0.${arches.length - 1 - at}`, { artifacts: each.map((arch) => artifact({ arch })) }),
    );
    for (const platform of ['windows', 'macos'] as const) {
      const own = releases.map((release) => ({ ...release, artifacts: release.artifacts.map((each) => ({ ...each, platform })) }));
      const [offer] = offersOf(own, {}, { feed: 'electron', target: { platform, arch: 'every' } }).offered;
      expect([offer?.release.version, offer?.fullPackages.map(({ arch }) => arch) ?? []]).toEqual([version, given]);
    }
  });

  test('of what is for any platform to none what is the installer of another', () => {
    const names = ['app.exe', 'app.zip', 'app-1.2.AppImage', 'app.deb', 'app.pacman'];
    const any = [published('1.0.0', { artifacts: names.map((fileName) => artifact({ platform: 'any', fileName })) })];
    const given = (platform: 'windows' | 'macos' | 'linux', more: Partial<FeedAudience> = {}) => {
      const [offer] = offersOf(any, {}, { feed: 'electron', target: { platform, arch: 'x64' }, ...more }).offered;
      return offer?.fullPackages.map(({ fileName }) => fileName);
    };
    expect([given('windows'), given('macos'), given('linux')]).toEqual([['app.exe'], ['app.zip'], names.slice(2)]);
    const asks = [{ extension: '.deb' }, { extension: '.rpm' }, { feed: 'tauri' }] as const;
    expect(asks.map((more) => given('linux', more))).toEqual([['app.deb'], undefined, names]);
  });

  test.each<[UpdateOutcome, UpdateOutcome[]]>([
    ['update_available', ['not_covered', 'update_available']],
    ['not_covered', ['up_to_date', 'not_covered', 'no_release']],
    ['up_to_date', ['no_release', 'up_to_date']],
    ['no_release', ['no_release', 'no_release']],
  ])('of several kinds of file each by itself: %s of %j', (code, codes) => {
    const [offered] = offersOf(three).offered;
    const choices = codes.map((one) => ({ code: one, offered: one === 'update_available' && offered ? [offered] : [] }));
    expect(joinChoices(choices)).toEqual({ code, offered: choices.flatMap((choice) => choice.offered) });
  });

  test('to who tells its arch by its channel the highest for it, and files of it alone', () => {
    const releases = [
      published('1.1.0', { artifacts: [artifact({ arch: 'x64' })] }),
      published('1.0.0', { artifacts: (['x64', 'arm64'] as const).map((arch) => artifact({ arch })) }),
    ];
    const [offer] = offersOf(releases, {}, { feed: 'electron', target: { platform: 'windows', arch: 'arm64' } }).offered;
    expect([offer?.release.version, offer?.fullPackages.map(({ arch }) => arch)]).toEqual(['1.0.0', ['arm64']]);
  });
});

test('a rollout goes by the first bytes of a hash of release and device', () => {
  const id = 'rel_01K0000000000000000000000A' as PublishedRelease['id'];
  const place = createHash('sha256').update(`${id}\0dev`).digest().readUInt32BE(0) % 100;
  const isReached = (rolloutPercent: number) => isRolledOut({ id, rolloutPercent }, 'dev');
  expect([0, place, place + 1, 100].map(isReached)).toEqual([false, false, true, true]);
});

/** The same rules without an order, an index or a memory. */
function slowly(
  releases: PublishedRelease[],
  { feed, channel, target, bundle }: FeedAudience,
  { covers, device, current, os }: UpdaterDevice,
): unknown[] {
  const highest = (of: PublishedRelease) =>
    releases.filter((other) => other.channel === of.channel && compareVersions(other.version, of.version) > 0).length <
    maxReleasesPerChannel;
  const followed = releases.filter((release) => channels.indexOf(release.channel) <= channels.indexOf(channel) && highest(release));
  const fullsOf = (release: PublishedRelease): ArtifactWithFile[] => {
    const fit = release.artifacts.filter(
      (one) =>
        one.kind === 'full' &&
        one.available &&
        (feed ? one.feeds?.includes(feed) : one.feeds?.length) &&
        (!bundle || !one.bundle || one.bundle === bundle),
    );
    const at = (platform: Platform, arch: Arch) => fit.filter((one) => one.platform === platform && one.arch === arch);
    const { platform, arch } = target as { platform: Platform; arch: Arch };
    return [at(platform, arch), at(platform, 'any'), at('any', arch), at('any', 'any')].find((found) => found.length > 0) ?? [];
  };
  const withFulls = followed.filter((release) => fullsOf(release).length > 0);
  const above = withFulls.filter(({ version }) => !current || compareVersions(version, current) > 0);
  const reached = above.filter(
    (release) =>
      isRolledOut(release, device) && fullsOf(release).some(({ minimumOs }) => !os || !minimumOs || compareDotted(minimumOs, os) <= 0),
  );
  const best = (list: PublishedRelease[]) => list.toSorted((a, b) => compareVersions(b.version, a.version))[0]?.version;
  const offered = reached.filter(covers);
  if (withFulls.length === 0) return ['no_release', undefined, undefined];
  if (offered.length > 0) return ['update_available', best(offered), undefined];
  const upgrade = current && !above.some(covers) ? best(reached) : undefined;
  return [reached.length > 0 ? 'not_covered' : 'up_to_date', undefined, upgrade];
}

test('the quick decision is the slow one', () => {
  const numbers = fc.tuple(fc.nat(3), fc.nat(3));
  const version = fc
    .tuple(numbers, fc.constantFrom('', '-rc.1', '-beta.2'))
    .map(([[major, minor], suffix]) => `${major}.${minor}.0${suffix}`);
  const artifacts = fc.record({
    platform: fc.constantFrom<Platform>('windows', 'macos', 'any'),
    arch: fc.constantFrom<Arch>('x64', 'arm64', 'any'),
    feeds: fc.subarray<Feed>(['appcast', 'tauri']),
    kind: fc.constantFrom<ArtifactWithFile['kind']>('full', 'full', 'delta'),
    available: fc.boolean(),
    bundle: fc.constantFrom<Bundle | undefined>(undefined, 'msi', 'nsis'),
    minimumOs: fc.constantFrom(undefined, '10', '11'),
  });
  const release = fc.record({
    version,
    rolloutPercent: fc.constantFrom(0, 50, 100),
    coveredAt: fc.constantFrom('2026', '2027'),
    artifacts: fc.array(artifacts.map(artifact), { maxLength: 4 }),
  });
  const asked = fc.record({
    releases: fc.uniqueArray(release, { selector: (one) => one.version, maxLength: 12 }),
    feed: fc.constantFrom<Feed | undefined>('appcast', 'tauri', undefined),
    channel: fc.constantFrom<Channel>('stable', 'rc', 'beta'),
    arch: fc.constantFrom('x64' as const, 'arm64' as const),
    bundle: fc.constantFrom<Bundle | undefined>(undefined, 'msi'),
    until: fc.constantFrom('2025', '2026', '2027'),
    current: fc.option(version, { nil: undefined }),
    os: fc.constantFrom(undefined, '10.0', '11'),
  });
  fc.assert(
    fc.property(asked, ({ releases: given, feed, channel, arch, bundle, until, current, os }) => {
      const releases = given.map(({ version: own, ...fields }) =>
        published(own, { ...fields, channel: own.includes('rc') ? 'rc' : own.includes('beta') ? 'beta' : 'stable' }),
      );
      const audience: FeedAudience = {
        feed,
        channel,
        target: { platform: 'windows', arch },
        bundle: feed === 'tauri' ? bundle : undefined,
      };
      const asker: UpdaterDevice = { covers: ({ coveredAt }) => coveredAt <= until, device: 'device', current, os };
      const { code, offered, upgrade } = chooseUpdates(createCatalog(releases).candidatesFor(audience), asker);
      expect([code, offered[0]?.release.version, upgrade?.release.version]).toEqual(slowly(releases, audience, asker));
    }),
    { numRuns: tries(500) },
  );
});
