import * as z from 'zod/mini';
import { webUri } from '../../addresses.ts';
import type { Settings } from '../../config.ts';
import { fault } from '../../faults/fault.ts';
import * as rules from '../../faults/rules.ts';

type Stage = Settings['STAGE'];

/** A name of the public tree of names: at least two labels, the last of which is no number. */
const publicName = /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+(?=[a-z])[a-z\d-]{1,62}[a-z\d]$/;
const localName = /\.(?:localhost|local|internal)$/;
/** As it is written: another notation of the address is another name. */
const localReceiver = /^http:\/\/127\.0\.0\.1(?::\d{1,5})?(?:[/?]|$)/;

/**
 * Whether events may be sent there: https on port 443 of a public name, without credentials or a fragment. With STAGE
 * local also http on 127.0.0.1. What the name resolves to is looked at when a request is sent. No event comes back to
 * the service itself, at `publicBaseUrl`, where it would do what anybody may do; locally its receiver of tests takes them.
 */
export function isEndpointUrl(text: string, stage: Stage, publicBaseUrl?: string): boolean {
  const url = URL.parse(text);
  // A URL parser drops or corrects what others may read otherwise.
  if (!url || /[\s\\#\p{C}]/u.test(text)) return false;
  if (publicBaseUrl !== undefined && isOwn(url, new URL(publicBaseUrl), stage)) return false;
  if (stage === 'local' && localReceiver.test(text)) return true;
  const authority = /^https:\/\/([^/?]+)/i.exec(text)?.[1] ?? '@';
  return url.port === '' && !authority.includes('@') && publicName.test(url.hostname) && !localName.test(url.hostname);
}

const isOwn = (url: URL, own: URL, stage: Stage) =>
  stage === 'local' ? url.host === own.host && !url.pathname.startsWith('/__local/') : url.hostname === own.hostname;

/** The URL of an endpoint, of at most 2,048 characters. */
export const endpointUrl = (stage: Stage, publicBaseUrl?: string) =>
  webUri.check(z.refine((text) => isEndpointUrl(text, stage, publicBaseUrl), fault(rules.notEndpointUrl)));
