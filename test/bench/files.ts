import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../shared/ids.ts';
import { startProcess } from '../support/engines/child-process.ts';
import { watchMemory } from '../support/engines/process-memory.ts';
import { describeInterface } from '../support/interface/describe-interface.ts';
import { largeBody } from '../support/samples/large-body.ts';
import { startFileProcesses } from '../support/scenes/file-processes.ts';

const megabytes = Number(process.env['BENCH_FILE_MB'] ?? 2048);
const partMegabytes = 16;

/** Of the copy's rate, at least; parts at 0.8 of what one PUT is to have. */
const targets = new Map([
  ['upload, to the store', '0.70'],
  ['upload in parts, put together', '0.56'],
  ['hash, by the worker', '0.90'],
  ['download, from the store', '0.70'],
]);

interface Measured {
  seconds: number;
  growthMb: number;
}

/** How fast a large file is uploaded, hashed and downloaded, and what memory that takes, beside a plain copy of it on the same disk. */
export async function measureFiles() {
  await describeInterface();
  const copy = await measureCopy();
  const processes = await startFileProcesses();
  try {
    const { harness, storePid, hasherPid } = processes;
    const declared = processes.declare(megabytes);
    let fileId = newId('file');
    const upload = await measure(storePid, async () => {
      fileId = await processes.upload(declared);
    });
    const finalize = async (id: string) => {
      const { status } = await harness.call('POST', `/v1/products/${harness.product.id}/files/${id}/finalize`, { body: declared });
      if (status !== 200) throw new Error(`finalize was answered with ${status}.`);
    };
    await finalize(fileId);
    const hash = await measure(hasherPid, () => processes.hash());
    const { hashStatus } = await harness.file(fileId);
    if (hashStatus !== 'verified') throw new Error(`The file is ${hashStatus}.`);
    const url = await processes.approve(fileId);
    const download = await measure(storePid, () => drain(url));
    const inParts = await measure(storePid, async () => {
      fileId = await processes.uploadInParts(declared, partMegabytes);
      await finalize(fileId);
    });
    await processes.hash();
    if ((await harness.file(fileId)).hashStatus !== 'verified') throw new Error('The parts are another file.');
    const rows = {
      'plain stream copy': copy,
      'upload, to the store': upload,
      'upload in parts, put together': inParts,
      'hash, by the worker': hash,
      'download, from the store': download,
    };
    return Object.entries(rows).map(([what, measured]) => ({
      what,
      'MB/s': Math.round(megabytes / measured.seconds),
      'of copy': (copy.seconds / measured.seconds).toFixed(2),
      target: targets.get(what) ?? '',
      'peak growth, MB': Math.round(measured.growthMb),
      'of copy’s': (measured.growthMb / Math.max(1, copy.growthMb)).toFixed(1),
    }));
  } finally {
    await processes.stop();
  }
}

async function measure(pid: number, work: () => Promise<void>): Promise<Measured> {
  const memory = watchMemory(pid);
  const began = performance.now();
  await work();
  return { seconds: (performance.now() - began) / 1000, growthMb: memory.growth() / 1024 ** 2 };
}

async function measureCopy(): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'copy-'));
  const copier = await startProcess('./copy-process.ts');
  try {
    const from = join(directory, 'from');
    await pipeline(Readable.from(largeBody(megabytes)), createWriteStream(from));
    return await measure(copier.pid, async () => {
      copier.child.send({ from, to: join(directory, 'to') });
      await once(copier.child, 'message');
    });
  } finally {
    await copier.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function drain(url: string): Promise<void> {
  const reply = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
  for await (const _ of reply);
}
