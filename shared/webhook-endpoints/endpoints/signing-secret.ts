import type { WebhookEndpointRecord } from './webhook-endpoint.ts';

/** In the form of Standard Webhooks. */
export const newSigningSecret = (randomBytes: (size: number) => Buffer) => `whsec_${randomBytes(32).toString('base64')}`;

const formerSecretHours = 24;
/** How many former signatures fit into the header; with more rotations in a day the oldest secrets end early. */
const maxFormerSecrets = 4;

type Secrets = Pick<WebhookEndpointRecord, 'sealedSecret' | 'formerSecrets'>;

/** The secrets with another in the place of the current one, which signs too for 24 hours. */
export function withSecret({ sealedSecret, formerSecrets = [] }: Secrets, sealed: string, at: Date): Required<Secrets> {
  const signsUntil = new Date(at.getTime() + formerSecretHours * 3600_000).toISOString();
  const former = [{ sealed: sealedSecret, signsUntil }, ...formerSecrets.filter((secret) => signsStill(secret, at))];
  return { sealedSecret: sealed, formerSecrets: former.slice(0, maxFormerSecrets) };
}

/** Those that sign at that time, encrypted, the current one first. */
export function sealedSecretsOf({ sealedSecret, formerSecrets = [] }: Secrets, at: Date): string[] {
  return [sealedSecret, ...formerSecrets.filter((secret) => signsStill(secret, at)).map(({ sealed }) => sealed)];
}

const signsStill = ({ signsUntil }: { signsUntil: string }, at: Date) => at.toISOString() < signsUntil;
