import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { escapeHtml } from '../../shared/html.ts';
import { Reply } from '../../shared/http/endpoint.ts';
import { acceptsGzip } from '../../shared/http/page-headers.ts';
import { type Locale, locales } from '../../shared/locale.ts';

/** A file of the site, compressed when the site was built. */
export interface SiteFile {
  contentType: string;
  gzipped: Buffer;
}

/** The files of the documentation by name: `openapi.json`, a page for each language, assets with their hash in the name, and `clients/…`. */
export type Site = ReadonlyMap<string, SiteFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
/** Browsers show sources as text; they know no type for most languages, and a wrong one for TypeScript. */
const sourceType = 'text/plain; charset=utf-8';

/** What the documents call the address of the service. */
const exampleAddress = 'https://api.example.com';

/** Reads the site that the build put beside the function's code. */
export function readSite(folder: string): Site {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.gz'));
  return new Map(
    names.map((file) => {
      const name = file.slice(0, -'.gz'.length);
      const contentType = contentTypes[extname(name)] ?? sourceType;
      return [name, { contentType, gzipped: readFileSync(join(folder, file)) }];
    }),
  );
}

/** The pages: the guide for app authors with the reference, and the guides for sellers and to updates. */
const pageNames = ['index', 'sellers', 'updates'] as const;
export type PageName = (typeof pageNames)[number];

/** A page in a language. */
export const pageFileName = (page: PageName, locale: Locale): string => `${page}.${locale}.html`;

/** The site whose guides, in every language, description and workflow call the service by its own address. */
export function withAddress(site: Site, address: string): Site {
  const pages = pageNames.flatMap((page) => locales.map((locale) => pageFileName(page, locale)));
  const called = [
    ...pages.map((name) => [name, escapeHtml(address)] as const),
    ['openapi.json', JSON.stringify(address).slice(1, -1)] as const,
    ['clients/release.yml', address] as const,
  ];
  const files = called.flatMap(([name, written]) => {
    const file = site.get(name);
    return file ? [[name, addressed(file, written)] as const] : [];
  });
  return new Map([...site, ...files]);
}

function addressed(file: SiteFile, address: string): SiteFile {
  const text = gunzipSync(file.gzipped)
    .toString('utf8')
    .replaceAll(exampleAddress, () => address);
  return { ...file, gzipped: gzipSync(text, { level: 9 }) };
}

/** The file as the caller takes it. */
export function fileReply(file: SiteFile, acceptEncoding: string | undefined, headers: Record<string, string> = {}): Reply {
  const vary = [headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  const common = { ...headers, 'Content-Type': file.contentType, Vary: vary };
  return acceptsGzip(acceptEncoding)
    ? new Reply(file.gzipped, { headers: { ...common, 'Content-Encoding': 'gzip' } })
    : new Reply(gunzipSync(file.gzipped).toString('utf8'), { headers: common });
}
