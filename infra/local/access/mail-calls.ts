import { account, region } from '../references.ts';
import type { Call } from './call.ts';

export interface OutgoingMail {
  from: string;
  to: readonly string[];
  configurationSet: string | undefined;
}

/** What a mail is allowed by: the identity that it goes out under, which is its domain unless the address is `verified`, and its configuration set. */
export function mailCalls({ from, to, configurationSet }: OutgoingMail, verified: readonly string[]): Call[] {
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const context = { 'ses:FromAddress': address, 'ses:Recipients': [...to] };
  const sets = configurationSet === undefined ? [] : [`configuration-set/${configurationSet}`];
  return [`identity/${verified.includes(address) ? address : domain}`, ...sets].map((resource) => ({
    action: 'ses:SendEmail',
    resource: `arn:aws:ses:${region}:${account}:${resource}`,
    context,
  }));
}
