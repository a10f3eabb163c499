import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Reply } from '../../shared/http/endpoint.ts';
import { takesGzip } from '../../shared/http/page-headers.ts';

/** A file of the site, compressed when the site was built. */
export interface SiteFile {
  contentType: string;
  gzipped: Buffer;
}

/** The files of the documentation by name: `openapi.json`, `index.html`, and assets with their hash in the name. */
export type Site = ReadonlyMap<string, SiteFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Reads the site that the build put beside the function's code. */
export function readSite(folder: string): Site {
  const names = readdirSync(folder).filter((file) => file.endsWith('.gz'));
  return new Map(
    names.map((file) => {
      const name = file.slice(0, -'.gz'.length);
      const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
      return [name, { contentType, gzipped: readFileSync(join(folder, file)) }];
    }),
  );
}

/** The file as the caller takes it. */
export function fileReply(file: SiteFile, acceptEncoding: string | undefined, headers: Record<string, string> = {}): Reply {
  const common = { ...headers, 'Content-Type': file.contentType, Vary: 'Accept-Encoding' };
  return takesGzip(acceptEncoding)
    ? new Reply(file.gzipped, { headers: { ...common, 'Content-Encoding': 'gzip' } })
    : new Reply(gunzipSync(file.gzipped).toString('utf8'), { headers: common });
}
