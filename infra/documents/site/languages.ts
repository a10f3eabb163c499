import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '../../../shared/locale.ts';

/** How an author begins with a client: what the guide shows, and what a test does in an empty folder. */
export interface Language {
  name: string;
  /** Its client, in `infra/documents/clients`. */
  client: string;
  needs: Readonly<Record<Locale, string>>;
  /** Shell commands that fetch the client and the keys. */
  fetch: string;
  /** The files that the author then writes, by where they go; from `infra/documents/samples`. */
  files: Readonly<Record<string, string>>;
  build?: string;
  /** The command that starts the app. */
  start: string;
}

const folders = join(import.meta.dirname, '..');
export const sourceOf = (client: string): string => readFileSync(join(folders, 'clients', client), 'utf8');
/** A file of `infra/documents/samples`. */
export const sample = (name: string): string => readFileSync(join(folders, 'samples', name), 'utf8');

/** Fetches a client, into a folder of its own if it needs one, and the keys. */
const fetchInto = (client: string, folder?: string) => `mkdir photo-studio && cd photo-studio${folder ? ` && mkdir ${folder}` : ''}
curl ${folder ? `-fsS -o ${folder}/${client}` : '-fsSO'} https://api.example.com/clients/${client}
curl -fsS -o jwks.json https://api.example.com/.well-known/jwks.json`;
const beModule = `echo '{"type":"module"}' > package.json`;

export const languages: readonly Language[] = [
  {
    name: 'JavaScript',
    client: 'license-client.ts',
    needs: {
      en: 'Node 20.10 or newer; Electron, Deno and browsers with small changes that the client’s first lines name.',
      ja: 'Node 20.10以降。Electron、Deno、ブラウザーでは小さな変更が要り、クライアントの冒頭に書かれています。',
    },
    fetch: `${fetchInto('license-client.js')}
${beModule}`,
    files: { 'app.js': sample('app.js') },
    start: 'node app.js',
  },
  {
    name: 'TypeScript',
    client: 'license-client.ts',
    needs: {
      en: 'Node 22.18 or newer, which runs TypeScript as it is, or a bundler.',
      ja: 'TypeScriptをそのまま実行できるNode 22.18以降、またはバンドラー。',
    },
    fetch: `${fetchInto('license-client.ts')}
${beModule}`,
    files: { 'tsconfig.json': sample('tsconfig.json'), 'app.ts': sample('app.js').replace('license-client.js', 'license-client.ts') },
    start: 'node app.ts',
  },
  {
    name: 'Python',
    client: 'license_client.py',
    needs: {
      en: 'Python 3.9 or newer, and pip install cryptography.',
      ja: 'Python 3.9以降と、pip install cryptography。',
    },
    fetch: fetchInto('license_client.py'),
    files: { 'app.py': sample('app.py') },
    start: 'python3 app.py',
  },
  {
    name: 'Go',
    client: 'license_client.go',
    needs: {
      en: 'Go 1.19 or newer.',
      ja: 'Go 1.19以降。',
    },
    fetch: `${fetchInto('license_client.go', 'licenseclient')}
go mod init photo-studio`,
    files: { 'main.go': sample('main.go') },
    build: 'go build .',
    start: './photo-studio',
  },
  {
    name: 'Java and Kotlin',
    client: 'LicenseClient.java',
    needs: {
      en: 'JDK 11 or newer. Kotlin on the JVM calls the same class.',
      ja: 'JDK 11以降。JVM上のKotlinからも同じクラスを呼び出せます。',
    },
    fetch: fetchInto('LicenseClient.java'),
    files: { 'App.java': sample('App.java') },
    build: 'javac App.java LicenseClient.java',
    start: 'java -cp . App',
  },
  {
    name: 'Rust',
    client: 'license_client.rs',
    needs: {
      en: 'A current stable Rust, and libcurl or a C compiler to build it.',
      ja: '最新の安定版のRustと、libcurlまたはそれをビルドするCコンパイラー。',
    },
    fetch: fetchInto('license_client.rs', 'src'),
    files: { 'Cargo.toml': sample('Cargo.toml'), 'src/main.rs': sample('main.rs') },
    build: 'cargo build',
    start: './target/debug/photo-studio',
  },
];

const comments = [/^\/\*\*?(.*?)\*\//s, /^"""(.*?)"""/s, /^((?:\/\/[^\n]*\n)+)/];

/** What a client says of itself in the comment below its licence. @throws Error when it has none. */
export function openingComment(source: string): string {
  const below = source.slice(source.indexOf('\n\n') + 2);
  const [comment] = comments.flatMap((pattern) => pattern.exec(below)?.[1] ?? []);
  if (comment === undefined) throw new Error('The file does not begin with a licence and a comment.');
  return comment
    .split('\n')
    .map((line) => line.replace(/^(\/\/!?| \*)(?: |$)?/, ''))
    .join('\n')
    .trim();
}
