import { ApiFailure } from '../api/failure.ts';
import type { SignedPart } from './upload-api.ts';
import { failureOf } from './upload-failure.ts';
import type { Part } from './upload-plan.ts';

/**
 * Sends one part. The reply is whatever the store answers, with the code of its error.
 *
 * @throws ApiFailure offline without a reply
 */
export type PutPart = (
  part: { url: string; headers: Readonly<Record<string, string>>; body: Blob },
  options: { signal: AbortSignal; onBytes: (sentBytes: number) => void },
) => Promise<{ status: number; code: string }>;

const atOnce = 3;
const maxSignedParts = 16;
/** By the clock here alone, which may be wrong: less than the 15 minutes that URLs live. */
const freshMs = 12 * 60_000;
/** So often the store may refuse what was just signed for a part. */
const maxRefusals = 3;

/**
 * Sends parts, three at a time, each under a URL that is signed shortly before. After a failure no further one begins;
 * those under way are brought to their end, since what they sent would be lost.
 *
 * @throws ApiFailure file_changed, offline, upload_refused, dependency_unavailable; and what signing throws
 */
export async function sendParts(
  parts: readonly Part[],
  options: {
    file: Blob;
    sign: (parts: readonly Part[]) => Promise<readonly SignedPart[]>;
    put: PutPart;
    now: () => number;
    signal: AbortSignal;
    onBytes: (part: Part, sentBytes: number) => void;
    onStored: (part: Part) => void;
  },
): Promise<void> {
  const { file, put, now, signal, onBytes, onStored } = options;
  const queue = [...parts];
  const signed = new Map<number, SignedPart & { at: number }>();
  /** Parts that wait for their URL. */
  const unsigned = new Set<Part>();
  const refusals = new Map<Part, number>();
  let signing: Promise<void> = Promise.resolve();
  let failure: { of: unknown } | undefined;

  async function signNext(): Promise<void> {
    if (failure) throw failure.of;
    const at = now();
    try {
      for (const item of await options.sign([...unsigned, ...queue].slice(0, maxSignedParts)))
        signed.set(item.part_number, { ...item, at });
    } catch (error) {
      // At once, or the next lane would ask again.
      failure ??= { of: error };
      throw error;
    }
  }

  async function urlOf(part: Part): Promise<SignedPart> {
    const fresh = () => {
      const known = signed.get(part.partNumber);
      return known && now() - known.at < freshMs ? known : undefined;
    };
    unsigned.add(part);
    // One lane signs for all, so each looks again once its turn has come.
    signing = signing.catch(() => undefined).then(() => (fresh() ? undefined : signNext()));
    await signing.finally(() => unsigned.delete(part));
    const url = fresh();
    if (!url) throw new ApiFailure({ code: 'upload_refused' });
    if (Number(url.required_headers['content-length'] ?? part.sizeBytes) !== part.sizeBytes) throw new ApiFailure({ code: 'other_parts' });
    return url;
  }

  async function send(part: Part): Promise<void> {
    const { upload_url: url, required_headers: headers } = await urlOf(part);
    const body = file.slice(part.start, part.start + part.sizeBytes);
    const reply = await put({ url, headers, body }, { signal, onBytes: (sent) => onBytes(part, sent) }).catch(async (error: unknown) => {
      signal.throwIfAborted();
      // To the network a file that is no longer the one that was chosen looks like no connection.
      throw failureOf(error).code === 'offline' && !(await isReadable(body)) ? new ApiFailure({ code: 'file_changed' }) : error;
    });
    if (reply.status >= 200 && reply.status < 300) return onStored(part);
    onBytes(part, 0);
    signed.delete(part.partNumber);
    const fault = faultOfReply(reply);
    if (fault.code !== 'upload_refused') throw fault;
    const count = (refusals.get(part) ?? 0) + 1;
    refusals.set(part, count);
    if (count >= maxRefusals) throw fault;
    queue.unshift(part);
  }

  async function lane(): Promise<void> {
    for (let part = queue.shift(); part && !failure; part = queue.shift()) {
      try {
        await send(part);
      } catch (error) {
        onBytes(part, 0);
        failure ??= { of: error };
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, lane));
  if (failure) throw failure.of;
}

function faultOfReply({ status, code }: { status: number; code: string }): ApiFailure {
  // Of an upload that is over the store knows nothing more; what became of it the next look at its parts tells.
  if (status >= 500 || status === 429 || status === 404 || code === 'RequestTimeout')
    return new ApiFailure({ code: 'dependency_unavailable', status: 503 });
  return new ApiFailure({ code: status === 400 ? 'file_changed' : 'upload_refused', status });
}

const isReadable = (part: Blob): Promise<boolean> =>
  part
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
