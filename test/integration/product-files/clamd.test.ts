import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createClamdEngine } from '../../../functions/file-scanner/clamd-engine.ts';
import { freePort } from '../../../infra/local/engines/engine.ts';
import { createTestClamd, hasClamd, type TestClamd } from '../../support/engines/clamd.ts';

const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

/** A zip archive with one compressed file. */
function zipOf(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const stream = async function* (bytes: Uint8Array, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const open = (bytes: Uint8Array) => async () => stream(bytes);
const megabytes = (count: number) => Buffer.alloc(count * 1024 ** 2);
const refusedStream = { verdict: 'error', error: expect.stringMatching(/^(too_large|stream_refused)$/) };

// On a developer's machine clamd may be missing; where changes are judged that is a failure.
(hasClamd ? describe : describe.skip)('a real clamd', () => {
  let clamd: TestClamd;
  beforeAll(async () => {
    clamd = await createTestClamd();
    await clamd.start();
  });
  afterAll(() => clamd.remove());

  test('tells a clean file from the EICAR file, also inside a zip archive', async () => {
    const engine = createClamdEngine({ url: clamd.url });
    const scan = (bytes: Buffer) => engine.scan(bytes.length, open(bytes));
    const signatureVersion = expect.stringMatching(/^ClamAV \d+\.\d+/);
    expect(await scan(Buffer.from('nothing of interest'))).toEqual({ verdict: 'clean', summary: 'OK', signatureVersion });
    const infected = { verdict: 'infected', summary: expect.stringContaining('Eicar-Test-Signature'), signatureVersion };
    expect(await scan(eicar)).toEqual(infected);
    expect(await scan(zipOf('readme.txt', eicar))).toEqual(infected);
    expect(await scan(zipOf('readme.txt', Buffer.from('nothing of interest')))).toMatchObject({ verdict: 'clean' });
    expect(await scan(megabytes(2))).toMatchObject({ verdict: 'clean' });
  });

  test.each([3, 8, 40])('never calls a file of %d MB clean, which is larger than it takes', async (size) => {
    const engine = createClamdEngine({ url: clamd.url });
    expect(await engine.scan(megabytes(size).length, open(megabytes(size)))).toMatchObject(refusedStream);
  });

  test('does so over TCP as well', async () => {
    const overTcp = await createTestClamd({ tcpPort: await freePort() });
    await overTcp.start();
    const engine = createClamdEngine({ url: overTcp.url });
    const reports = [await engine.scan(eicar.length, open(eicar)), await engine.scan(megabytes(20).length, open(megabytes(20)))];
    await overTcp.remove();
    expect(reports).toMatchObject([{ verdict: 'infected' }, refusedStream]);
  });

  test('reads on after an empty chunk', async () => {
    const engine = createClamdEngine({ url: clamd.url });
    const chunks = async function* () {
      yield Buffer.alloc(0);
      yield eicar.subarray(0, 10);
      yield Buffer.alloc(0);
      yield eicar.subarray(10);
    };
    expect(await engine.scan(eicar.length, async () => chunks())).toMatchObject({ verdict: 'infected' });
  });

  test('scans many files at once', async () => {
    const engine = createClamdEngine({ url: clamd.url });
    const reports = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? eicar : Buffer.alloc(200_000))).map((bytes) =>
        engine.scan(bytes.length, open(bytes)),
      ),
    );
    expect(reports.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 12 }, (_, at) => (at % 2 ? 'infected' : 'clean')));
  });
});

describe('a daemon that misbehaves', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  /** Listens as clamd does; `answer` gets each command and the connection. */
  async function listen(answer: (command: string, socket: Socket) => void) {
    const port = await freePort();
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', (chunk) => answer(chunk.toString('latin1').split('\0')[0] ?? '', socket));
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return createClamdEngine({ url: `tcp://127.0.0.1:${port}`, timeouts: { connectMs: 300, idleMs: 300, verdictMs: 300 } });
  }
  const version = (command: string, socket: Socket) => command === 'zVERSION' && socket.end('ClamAV 1.4.6/1/today\0');
  const few = Buffer.from('bytes');

  test.each<[string, Buffer, (socket: Socket) => unknown]>([
    ['is busy and reads nothing', megabytes(30), (socket) => socket.pause()],
    ['takes everything and never answers', few, (socket) => socket.resume()],
    ['hangs up after the last byte', few, (socket) => socket.once('data', () => socket.destroy()).resume()],
    ...['COMMAND READ TIMED OUT', "stream: Can't allocate memory ERROR", 'UNKNOWN COMMAND', ''].map(
      (reply): [string, Buffer, (socket: Socket) => unknown] => [`answers ${reply}`, few, (socket) => socket.end(`${reply}\0`)],
    ),
  ])('one that %s is tried again later', async (_, bytes, answer) => {
    const engine = await listen((command, socket) => version(command, socket) || answer(socket));
    await expect(engine.scan(bytes.length, open(bytes))).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  test('one that is down is tried again later too', async () => {
    const engine = createClamdEngine({ url: `tcp://127.0.0.1:${await freePort()}` });
    await expect(engine.scan(few.length, open(few))).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  test('one that resets every stream halfway has refused the file', async () => {
    let streams = 0;
    const engine = await listen((command, socket) => {
      if (version(command, socket)) return;
      streams += 1;
      socket.resetAndDestroy();
    });
    expect(await engine.scan(megabytes(30).length, open(megabytes(30)))).toMatchObject({ verdict: 'error', error: 'stream_refused' });
    expect(streams).toBe(3);
  });

  test.each([
    ['Heuristics.Limits.Exceeded.MaxScanSize', { verdict: 'error', error: 'limits_exceeded' }],
    ['Heuristics.Encrypted.Zip', { verdict: 'error', error: 'encrypted' }],
    ['Heuristics.Broken.Executable', { verdict: 'error', error: 'broken' }],
    ['PUA.Win.Packer.Upx-1', { verdict: 'error', error: 'potentially_unwanted' }],
    ['Heuristics.OLE2.ContainsMacros', { verdict: 'infected' }],
    ['Win.Trojan.PUA.Heuristics.Broken.1', { verdict: 'infected' }],
    ['PUAX.1', { verdict: 'infected' }],
  ])('%s is as much of an infection as its name says, and no clearance', async (found, verdict) => {
    const engine = await listen((command, socket) => version(command, socket) || socket.end(`stream: ${found} FOUND\0`));
    const signatureVersion = 'ClamAV 1.4.6/1/today';
    expect(await engine.scan(few.length, open(few))).toEqual({ ...verdict, summary: found, signatureVersion });
  });

  test('what no clamd can take is not even sent', async () => {
    const engine = createClamdEngine({ url: 'tcp://127.0.0.1:9' });
    expect(await engine.scan(3 * 1024 ** 3, open(Buffer.alloc(0)))).toEqual({ verdict: 'error', error: 'too_large' });
  });
});
