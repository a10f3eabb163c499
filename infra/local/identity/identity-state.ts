import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Somebody who signs in. */
const Person = z.object({ userId: z.string(), email: z.optional(z.string()) });
export type Person = z.infer<typeof Person>;

/** A browser in which somebody is signed in. */
const Session = z.object({
  person: Person,
  /** When the person signed in, in seconds. */
  signedInAt: z.number(),
  /** When it ends unless it is used, in milliseconds; likewise below. */
  until: z.number(),
});
export type Session = z.infer<typeof Session>;

/** What one code gives, and all that is given for its refresh tokens. */
const Grant = z.object({
  sessionId: z.string(),
  person: Person,
  signedInAt: z.number(),
  redirectUri: z.string(),
  challenge: z.string(),
  scope: z.string(),
  nonce: z.optional(z.string()),
  /** How often tokens were given for it: 0 while its code was not used. The refresh token of this number is the good one. */
  given: z.int(),
  until: z.number(),
});
export type Grant = z.infer<typeof Grant>;

const State = z.object({
  /** What codes and refresh tokens are sealed with. */
  seal: z.string(),
  /** The private key that signs, as a JWK. */
  key: z.optional(z.record(z.string(), z.string())),
  sessions: z.record(z.string(), Session),
  grants: z.record(z.string(), Grant),
});

export type IdentityState = ReturnType<typeof openIdentityState>;

/** Sessions and issued tokens; persisted in `file`, readable by its owner alone, before any reply. */
export function openIdentityState(file: string | undefined, now: () => Date) {
  const { seal, key, ...kept } = read(file);
  const sessions = new Map(Object.entries(kept.sessions));
  const grants = new Map(Object.entries(kept.grants));
  let signingKey = key;

  function keep(): void {
    for (const entries of [sessions, grants]) {
      for (const [id, { until }] of entries) if (until <= now().getTime()) entries.delete(id);
    }
    if (file === undefined) return;
    const state = { seal, key: signingKey, sessions: Object.fromEntries(sessions), grants: Object.fromEntries(grants) };
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }

  const living = <T extends { until: number }>(entry: T | undefined) => (entry && entry.until > now().getTime() ? entry : undefined);

  return {
    seal,
    /** The private key that signs, once there is one. */
    key: () => signingKey,
    keepKey(made: Record<string, string>): void {
      signingKey = made;
      keep();
    },
    findSession: (id: string): Session | undefined => living(sessions.get(id)),
    keepSession(id: string, session: Session): void {
      sessions.set(id, session);
      keep();
    },
    findGrant: (id: string): Grant | undefined => living(grants.get(id)),
    keepGrant(id: string, grant: Grant): void {
      grants.set(id, grant);
      keep();
    },
    endGrant(id: string): void {
      if (grants.delete(id)) keep();
    },
    /** With everything that was given in it. */
    endSession(id: string): void {
      sessions.delete(id);
      for (const [grantId, { sessionId }] of grants) if (sessionId === id) grants.delete(grantId);
      keep();
    },
    endEverything(): void {
      sessions.clear();
      grants.clear();
      keep();
    },
  };
}

function read(file: string | undefined): z.infer<typeof State> {
  if (file === undefined || !existsSync(file)) return { seal: randomBytes(32).toString('base64url'), sessions: {}, grants: {} };
  return z.parse(State, JSON.parse(readFileSync(file, 'utf8')));
}
