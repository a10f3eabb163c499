import { createMeter } from '../cost/meter.ts';
import { openLicensePaths } from './license-paths.ts';
import type { Path, Taken } from './path.ts';
import { openSalePaths } from './sale-paths.ts';
import { openUpdatePaths } from './update-paths.ts';

/** A path that was gone: what it took, and what it may take. */
export interface GonePath {
  name: string;
  answer: string;
  taken: Taken;
  budget: Taken;
}

/** Goes every path once. The units are the engine's; what a failed request consumes in the cloud is not among them. */
export async function goPaths(): Promise<GonePath[]> {
  const gone: GonePath[] = [];
  for (const open of [openLicensePaths, openSalePaths, openUpdatePaths]) gone.push(...(await goAll(open)));
  return gone;
}

async function goAll(open: typeof openLicensePaths | typeof openSalePaths | typeof openUpdatePaths): Promise<GonePath[]> {
  const { client, paths, stop } = await open();
  const meter = createMeter({ client });
  try {
    const gone: GonePath[] = [];
    for (const path of paths) gone.push(await goOne(path, meter));
    return gone;
  } finally {
    meter.stop();
    await stop();
  }
}

async function goOne({ name, budget, prepare, go }: Path, meter: ReturnType<typeof createMeter>): Promise<GonePath> {
  await prepare?.();
  const { result: answer, usage } = await meter.measure(go);
  return { name, answer, budget, taken: { requests: usage.requests, reads: usage.readUnits, writes: usage.writeUnits } };
}
