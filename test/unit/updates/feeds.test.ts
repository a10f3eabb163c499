import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { AppError } from '../../../shared/errors.ts';
import { markdownHtml, renderMarkdown } from '../../../shared/text/markdown.ts';
import { createCatalog, type PublishedRelease, type Target } from '../../../shared/updates/catalog/catalog.ts';
import { writeAppcast } from '../../../shared/updates/feeds/appcast.ts';
import { writeElectronFeed } from '../../../shared/updates/feeds/electron.ts';
import {
  createLinks,
  isVelopackFeed,
  parseElectronScope,
  parseFeedScope,
  parseTauriScope,
} from '../../../shared/updates/feeds/feed-addresses.ts';
import { writeTauriUpdate } from '../../../shared/updates/feeds/tauri.ts';
import { writeVelopackFeed } from '../../../shared/updates/feeds/velopack.ts';
import { describeUpdates } from '../../../shared/updates/update-check.ts';
import { tries } from '../../support/depth.ts';
import { artifact, published } from '../../support/samples/releases/published.ts';

const links = createLinks({ publicBaseUrl: 'https://a.example', productId: 'prd_1', slug: 'lumen', proof: '-' });
const files = 'https://a.example/v1/updates/prd_1/-/files';
const offer = (release: PublishedRelease) => ({ release, fullPackages: release.artifacts.filter(({ kind }) => kind === 'full') });
/** Bidi controls, what ends a CDATA section, HTML, what XML cannot hold, what YAML reads as something else. */
const nasty = '\u202e]]> <b>&amp;</b>\u0000\u0007\u0085\ufffe\u2028 新版 🎉\n# - : {"a": [1]}\n\t日本語 \\ \'"';

describe('an appcast', () => {
  const target: Target = { platform: 'windows', arch: 'x64' };
  const frame = (releases: PublishedRelease[]) => ({ productName: 'Lumen & Co', links, catalog: createCatalog(releases), target });
  const itemsOf = (xml: string) => xml.match(/<item>.*?<\/item>/gs) ?? [];
  const written = (release: PublishedRelease, others: PublishedRelease[] = []) =>
    writeAppcast({ offered: [offer(release)] }, frame([release, ...others]));

  test('says of a release what Sparkle and WinSparkle read', () => {
    const release = published('1.1.0', { critical: true, notes: '*New*', artifacts: [artifact({ build: '1.10', minimumOs: '10.0' })] });
    expect(written(release)).toBe(
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>',
        '<title>Lumen &#x26; Co</title><link>https://a.example/p/lumen/releases</link><description>Lumen &#x26; Co</description>',
        '<item><title>Lumen &#x26; Co 1.1.0</title><link>https://a.example/p/lumen/releases</link>',
        '<pubDate>Sun, 01 Mar 2026 09:00:00 +0000</pubDate>',
        '<sparkle:version>1.10</sparkle:version><sparkle:shortVersionString>1.1.0</sparkle:shortVersionString>',
        '<sparkle:minimumSystemVersion>10.0</sparkle:minimumSystemVersion><sparkle:criticalUpdate />',
        '<description>&#x3C;p>&#x3C;em>New&#x3C;/em>&#x3C;/p>\n</description>',
        `<enclosure url="${files}/1.1.0/windows-x64/Lumen-Setup.exe" length="1234" type="application/octet-stream" sparkle:edSignature="ZWQ=" sparkle:os="windows-x64" />`,
        '</item></channel></rss>',
      ].join(''),
    );
  });

  test('has no item where nothing is offered, and one without enclosure for an upgrade', () => {
    expect(itemsOf(writeAppcast({ offered: [] }, frame([])))).toEqual([]);
    const [item, ...others] = itemsOf(writeAppcast({ offered: [], upgrade: offer(published('2.0.0')) }, frame([])));
    expect(others).toEqual([]);
    for (const part of ['<sparkle:version>100</', '<sparkle:shortVersionString>2.0.0</', '<link>https://a.example/p/lumen/releases</']) {
      expect(item).toContain(part);
    }
    expect(item).not.toContain('enclosure');
  });

  test('has a delta from each version whose build is known', () => {
    const delta = (fromVersion: string, fields = {}) =>
      artifact({ kind: 'delta', fromVersion, fileName: `${fromVersion}.delta`, ...fields });
    const others = [{ arch: 'arm64' }, { platform: 'any' }, { kind: 'blockmap' }, { available: false }, { feeds: ['velopack'] }];
    const deltasFrom = [delta('1.1.0'), delta('1.0.0'), delta('0.9.0'), ...others.map((fields) => delta('1.1.0', fields))];
    const release = published('1.2.0', { artifacts: [artifact({ build: '120' }), ...deltasFrom] });
    const builds = (version: string, ...artifacts: Parameters<typeof artifact>[0][]) =>
      published(version, { artifacts: artifacts.map(artifact) });
    const before = [
      builds('1.1.0', { build: '108', kind: 'delta' }, { build: '109', feeds: ['tauri'] }, { build: '110', available: false }),
      builds('1.0.0', { build: '99', arch: 'arm64' }, { build: '100', platform: 'any' }),
    ];
    const [, deltas = ''] = /<sparkle:deltas>(.*)<\/sparkle:deltas>/.exec(written(release, before)) ?? [];
    expect(deltas.match(/(?<=url="[^"]*\/)[^"/]*(?=")|(?<=deltaFrom=")[^"]*/g)).toEqual(['1.1.0.delta', '110', '1.0.0.delta', '100']);
  });

  test.each([
    ['macos', 'arm64', 'macos'],
    ['windows', 'x86', 'windows-x86'],
    ['windows', 'arm64', 'windows-arm64'],
    ['windows', 'arm', 'windows'],
    ['windows', 'any', 'windows'],
    ['linux', 'x64', 'linux'],
    ['any', 'x64', undefined],
  ] as const)('names the system of %s %s as %s', (platform, arch, system) => {
    const [, os] = /sparkle:os="([^"]*)"/.exec(written(published('1.0.0', { artifacts: [artifact({ platform, arch })] }))) ?? [];
    expect(os).toBe(system);
  });

  test('holds nothing that XML cannot, whatever is in names and notes', () => {
    const xml = writeAppcast({ offered: [offer(published('1.0.0', { notes: nasty }))] }, { ...frame([]), productName: nasty });
    expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
    const texts = xml.replace(/<!\[CDATA\[>\]\]>|<\/?[\w:]+(?: [\w:]+="[^"<>]*")* ?\/?>|<\?xml [^<>]*\?>/g, '\n');
    expect(texts).not.toMatch(/<|&(?!#x26;|#x3C;)|\]\]>/);
    expect(xml).toContain('\u202e]]<![CDATA[>]]> &#x3C;b>');
    expect(xml).toContain('新版 🎉');
  });
});

describe('what Tauri reads', () => {
  test('is of one file', () => {
    const release = published('1.1.0', { notes: nasty });
    expect(writeTauriUpdate(offer(release), links)).toEqual({
      version: '1.1.0',
      url: `${files}/1.1.0/windows-x64/Lumen-Setup.exe`,
      signature: 'bWluaQ==',
      notes: nasty,
      pubDate: '2026-03-01T09:00:00.000Z',
    });
  });

  test('is nothing without a file, or without its signature', () => {
    for (const fulls of [[], [artifact({ minisignSignature: undefined })]]) {
      expect(writeTauriUpdate({ release: published('1.1.0'), fullPackages: fulls }, links)).toBeUndefined();
    }
  });
});

describe('what electron-updater reads', () => {
  test('lists every file, and the first again for old versions', () => {
    const artifacts = [artifact({ blockMapSize: 7, minimumOs: '10.0' }), artifact({ arch: 'arm64', fileName: 'Lumen-arm64.exe' })];
    const [first, second] = [`${files}/1.1.0/windows-x64/Lumen-Setup.exe`, `${files}/1.1.0/windows-arm64/Lumen-arm64.exe`];
    expect(load(writeElectronFeed([offer(published('1.1.0', { artifacts }))], undefined, links))).toEqual({
      version: '1.1.0',
      files: [
        { url: first, sha512: 'c2hhNTEy', size: 1234, blockMapSize: 7 },
        { url: second, sha512: 'c2hhNTEy', size: 1234 },
      ],
      path: first,
      sha512: 'c2hhNTEy',
      releaseDate: '2026-03-01T09:00:00.000Z',
      releaseNotes: 'Notes of 1.1.0',
    });
  });

  test('names the highest of several versions, and each file by its own', () => {
    const of = (version: string, fileName: string, minimumOs: string, publishedAt: string) => {
      const fields = { feeds: ['electron' as const], minimumOs, platform: 'linux' as const, fileName, sha512Base64: version };
      return offer(published(version, { publishedAt, artifacts: [artifact(fields)] }));
    };
    const [later, earlier] = ['2026-03-02T09:00:00.000Z', '2026-03-01T09:00:00.000Z'] as const;
    const offers = [of('1.9.0', 'L.AppImage', '5.15', later), of('1.10.0', 'l.deb', '6.8', earlier)];
    expect(load(writeElectronFeed(offers, undefined, links))).toEqual({
      version: '1.10.0',
      files: [
        { url: `${files}/1.9.0/linux-x64/L.AppImage`, sha512: '1.9.0', size: 1234 },
        { url: `${files}/1.10.0/linux-x64/l.deb`, sha512: '1.10.0', size: 1234 },
      ],
      path: `${files}/1.9.0/linux-x64/L.AppImage`,
      sha512: '1.9.0',
      releaseDate: '2026-03-01T09:00:00.000Z',
      releaseNotes: 'Notes of 1.10.0',
      minimumSystemVersion: '6.8.0',
    });
  });

  test.each([
    ['10.0.19045', '10.0.19045'],
    ['11', '11.0.0'],
    ['05.04', '5.4.0'],
    ['10.0.19045.3', '10.0.19045'],
  ])('has the version %s of the kernel as electron-updater can compare it, where electron alone is meant', (minimumOs, compared) => {
    const artifacts = [artifact({ feeds: ['electron'], minimumOs })];
    expect(load(writeElectronFeed([offer(published('1.1.0', { artifacts }))], undefined, links))).toMatchObject({
      minimumSystemVersion: compared,
    });
  });

  test.each([
    [undefined, 'version: "0.0.0"\nfiles: []\n'],
    ['1.4.0-rc.1', 'version: "1.4.0-rc.1"\nfiles: []\n'],
  ])('is no file to a device on %s, where nothing is offered', (current, yaml) => {
    expect(writeElectronFeed([], current, links)).toBe(yaml);
  });

  test('has a long text in one line, and nothing that is not known', () => {
    const notes = 'What is new in this one. '.repeat(20).trim();
    const yaml = writeElectronFeed([offer(published('1.1.0', { notes, artifacts: [artifact({ minimumOs: '10.0' })] }))], undefined, links);
    expect(yaml).toContain(`releaseNotes: "${notes}"\n`);
    expect(yaml).not.toMatch(/blockMapSize|minimumSystemVersion|null/);
  });

  test('gives every text as it was written', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(nasty, '', '2026-01-01', '1e3', 'null', '- a', 'a: b', '|\n x', '  x\n y\n\n', ' '.repeat(90)),
    );
    fc.assert(
      fc.property(text, (notes) => {
        expect(load(writeElectronFeed([offer(published('1.0.0', { notes }))], undefined, links))).toMatchObject({
          version: '1.0.0',
          releaseNotes: notes,
        });
      }),
      { numRuns: tries(200) },
    );
  });
});

describe('what Velopack reads', () => {
  const target: Target = { platform: 'windows', arch: 'x64' };
  const full = (version: string) => artifact({ fileName: `Lumen-${version}-full.nupkg` });
  const delta = (version: string, fromVersion: string, fields = {}) =>
    artifact({ kind: 'delta', fromVersion, fileName: `Lumen-${fromVersion}-${version}-delta.nupkg`, ...fields });
  const [one, two, three] = [
    published('1.1.0', { artifacts: [full('1.1.0'), delta('1.1.0', '1.0.0')] }),
    published('1.2.0', { artifacts: [full('1.2.0'), delta('1.2.0', '1.1.0'), delta('1.2.0', '0.9.0')] }),
    published('1.3.0', { artifacts: [full('1.3.0'), delta('1.3.0', '1.2.0', { arch: 'any' })] }),
  ];
  const namesFor = (releases: PublishedRelease[], localVersion?: string) => {
    const offered = releases.find(({ version }) => version === three.version) ?? three;
    const feed = writeVelopackFeed(offer(offered), { releases, target, localVersion });
    return feed.Assets.map(({ FileName }) => FileName.replace(/^Lumen-|\.nupkg$/g, ''));
  };

  test('is the full of the offer, with hashes in upper case', () => {
    expect(writeVelopackFeed(offer(published('1.1.0')), { releases: [], target })).toEqual({
      Assets: [
        {
          PackageId: 'Lumen',
          Version: '1.1.0',
          Type: 'Full',
          FileName: 'Lumen-Setup.exe',
          SHA1: 'CD'.repeat(20),
          SHA256: 'AB'.repeat(32),
          Size: 1234,
          NotesMarkdown: 'Notes of 1.1.0',
        },
      ],
    });
    for (const none of [undefined, { release: published('1.1.0'), fullPackages: [] }]) {
      expect(writeVelopackFeed(none, { releases: [], target })).toEqual({ Assets: [] });
    }
    const unhashed = published('1.1.0', { artifacts: [artifact({ sha1Hex: undefined })] });
    expect(writeVelopackFeed(offer(unhashed), { releases: [], target }).Assets[0]?.SHA1).toBe('');
    const { Assets } = writeVelopackFeed(offer(three), { releases: [three], target, localVersion: '1.2.0' });
    expect(Assets.map(({ Type, Version }) => `${Type} ${Version}`)).toEqual(['Full 1.3.0', 'Delta 1.3.0']);
  });

  const deltasOf = (version: string, ...artifacts: ReturnType<typeof artifact>[]) => published(version, { artifacts });
  const between = (fields: object) => [one, deltasOf('1.2.0', delta('1.2.0', '1.1.0', fields)), three];
  const highest = (from: string) => deltasOf('1.3.0', full('1.3.0'), delta('1.3.0', from));

  test.each<[string, PublishedRelease[], string | undefined, string[]]>([
    ['every delta of an unbroken chain', [one, two, three], '1.0.0', ['1.2.0-1.3.0-delta', '1.1.0-1.2.0-delta', '1.0.0-1.1.0-delta']],
    ['none but those after the installed version', [one, two, three], '1.2.0', ['1.2.0-1.3.0-delta']],
    ['none where a release is not covered', [one, three], '1.0.0', []],
    ['none from a version that no chain begins at', [one, two, three], '1.0.5', []],
    ['none where the installed version is not told', [one, two, three], undefined, []],
    ['none of another package', between({ packageId: 'Other' }), '1.0.0', []],
    ['none that was taken down', between({ available: false }), '1.0.0', []],
    ['none for another target', between({ arch: 'arm64' }), '1.0.0', []],
    ['none over what is above the offer', [deltasOf('1.4.0', delta('1.4.0', '1.2.5')), highest('1.4.0')], '1.2.5', []],
    ['none over what is below the installed version', [deltasOf('0.8.0', delta('0.8.0', '1.2.5')), highest('0.8.0')], '1.2.5', []],
    ['none that leads back', [deltasOf('1.2.0', delta('1.2.0', '1.3.0'), delta('1.2.0', '1.2.0')), three], '1.0.0', []],
  ])('has %s', (_what, releases, localVersion, deltas) => {
    expect(namesFor(releases, localVersion)).toEqual(['1.3.0-full', ...deltas]);
  });
});

describe('what a check shows', () => {
  test('is the highest offer, with all that there is in its place', () => {
    const artifacts = [
      ...[artifact(), artifact({ kind: 'blockmap', feeds: [], fileName: 'Lumen-Setup.exe.blockmap' })],
      ...[{ available: false }, { arch: 'any' as const }, { platform: 'any' as const }].map(artifact),
    ];
    const release = published('1.1.0', { artifacts });
    const { update } = describeUpdates({ offered: [offer(published('1.1.0')), offer(published('1.0.0'))] }, links);
    expect(update).toMatchObject({ version: '1.1.0', notes: 'Notes of 1.1.0', critical: false, publishedAt: '2026-03-01T09:00:00.000Z' });
    const all = describeUpdates({ offered: [{ release, fullPackages: [artifact()] }] }, links).update?.artifacts;
    expect(all?.map(({ url }) => url)).toEqual(['', '.blockmap'].map((end) => `${files}/1.1.0/windows-x64/Lumen-Setup.exe${end}`));
  });

  test('is what an upgrade would bring', () => {
    expect(describeUpdates({ offered: [], upgrade: offer(published('2.0.0')) }, links)).toEqual({
      upgrade: { version: '2.0.0', url: 'https://a.example/p/lumen/releases' },
    });
  });
});

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
  ['latest-arm64.yml', 'stable windows arm64'],
  ['rc-ia32.yml', 'rc windows x86'],
  ['beta-arm64-mac.yml', 'beta macos arm64'],
  ['latest-linux.yml', 'stable linux x64'],
  ['rc-linux-arm64.yml', 'rc linux arm64'],
  ['dev-linux-arm.yml', 'dev linux arm'],
  ['alpha-linux-ia32.yml', 'alpha linux x86'],
  ['nightly.yml', unnamed],
  ['latest-linux-x64.yml', unnamed],
  ['latest-win.yml', unnamed],
  ['latest-ia32-mac.yml', unnamed],
  ['latest-constructor.yml', unnamed],
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

const rendered = (text: string) => String(renderMarkdown(text)).trim();
const link = (href: string, text: string) => `<a href="${href}" rel="nofollow noopener noreferrer">${text}</a>`;

describe('notes as HTML', () => {
  test.each([
    ['# One\n\n*two* `a<b`', '<h3>One</h3>\n<p><em>two</em> <code>a&lt;b</code></p>'],
    ['###### Six', '<h6>Six</h6>'],
    ['<script>x</script>', '<p>&lt;script&gt;x&lt;/script&gt;</p>'],
    ['a <b onclick="x">c</b> &amp; &lt;', '<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt; &amp; &lt;</p>'],
    ['[a](https://a.example/?b=1&amp;c=2 "t")', `<p>${link('https://a.example/?b=1&amp;c=2', 'a')}</p>`],
    ['<https://a.example/>', `<p>${link('https://a.example/', 'https://a.example/')}</p>`],
    ['[a](javascript:x) [b](JAVA&#115;cript:x) [c](data:text/html,x) [d](/p/x) <a@b.example>', '<p>a b c d a@b.example</p>'],
    [
      '[a](https://user:pw@a.example/) [b](https://a.example@b.example/) [c](http://:@c.example) [d](<https://a.example%40b.example/>) [e](<https://u%3Ap%40b.example>)',
      '<p>a b c d e</p>',
    ],
    [
      '[a](https://@a.example/) [b](<https:\\\\a.example>) [c](<https://a.example/\u0001>) [d](https://a.example/\u202e) [e](<https://a.example/\t@b>) [f](<https://a.example/ x>)',
      '<p>a b c d e f</p>',
    ],
    ['<https://a@b.example/> [a](https:/a.example) [b](https:b.example)', '<p>https://a@b.example/ a b</p>'],
    ['[a](https://a.example/@b?c=d@e#f@g)', `<p>${link('https://a.example/@b?c=d@e#f@g', 'a')}</p>`],
    ['![alt <b>](https://a.example/p.png) [![in](x)](https://a.example/)', `<p>alt &lt;b&gt; ${link('https://a.example/', 'in')}</p>`],
    ['```js"><b>\n]]>\n```', '<pre><code class="language-js&quot;&gt;&lt;b&gt;">]]&gt;\n</code></pre>'],
    ['', ''],
  ])('%j', (text, html) => {
    expect(rendered(text)).toBe(html);
  });

  // Each of these would keep the reader busy for a minute, or end its stack.
  test.each([
    ['quotes in quotes', '> '.repeat(10_000)],
    ['lists in lists', `#\n\n${'-  '.repeat(3000)}${'**a\n'.repeat(2500)}`],
    ['ten lists in one line', `${'- '.repeat(10)}a`],
    ['an item of many lines', `- ${'a\n'.repeat(3000)}`],
    ['numbered lists in lists', `${' '.repeat(3)}${'1) '.repeat(6000)}`],
    ['emphasis in emphasis', `${'*a **a '.repeat(1400)}${' a** a*'.repeat(1400)}`],
    ['emphasis among code', `${"')\\\\`**a".repeat(1990)}${'a* '.repeat(1990)}`],
    ['emphasis of emphasis', `${'*'.repeat(9950)}a${'*'.repeat(9950)}`],
  ])('what is meant to break its readers is shown as it is: %s', (_, text) => {
    expect(rendered(text)).toBe(`<p>${text.replaceAll('>', '&gt;').replaceAll("'", '&#39;')}</p>`);
  });

  test('a long list of changes is no such text', () => {
    const changes =
      '## 1.2.3\n\n- Fixed a *bug* in `code`\n  - with [links](https://a.example/x)\n\n> **Exports** are as fast as _you_.\n\n';
    const html = rendered(changes.repeat(180).slice(0, 20_000));
    expect(html.match(/<em>bug<\/em>/g)?.length).toBeGreaterThan(150);
    expect(rendered('-'.repeat(100))).toBe('<hr>');
    expect(rendered(`${'- '.repeat(9)}a`).match(/<ul>/g)).toHaveLength(9);
  });

  test('what would be over 60 KB of UTF-8 is not made, and shown as it is', () => {
    const most = `${'版'.repeat(20_477)}a`;
    expect(String(markdownHtml(most))).toBe(`<p>${most}</p>\n`);
    expect([markdownHtml(`${most}a`), rendered(`*${most}*`)]).toEqual([undefined, `<p>*${most}*</p>`]);
  });

  test('no text makes an element, attribute or address that the writer does not know', () => {
    const piece = fc.constantFrom(...'<>"\'&[]()!`\n #=x', 'javascript:', 'https://a', '&#58;');
    const known =
      /<\/?(?:h[3-6]|p|em|strong|code|pre|ul|ol|li|blockquote|br|hr|a)(?: (?:href="https?:[^"<>]*"|rel="[a-z ]+"|class="language-[^"<>]*"|start="\d+"))*\/?>/g;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(rendered(pieces.join('')).replaceAll(known, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: tries(300) },
    );
  });
});
