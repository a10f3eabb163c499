/** Why nobody could be signed in; each has words of its own. */
export const sessionFailures = [
  // The issuer says that the person may not, or would not.
  'sign_in_denied',
  // The issuer refused the request, or what it gave is not what was asked for.
  'sign_in_refused',
  // What came back belongs to no sign-in that this tab has begun, or came too late; or it began again and again.
  'sign_in_unfinished',
  // No answer from the issuer, or one that says it cannot.
  'issuer_unreachable',
  // The browser keeps nothing for the tab, or has no cryptography here.
  'browser_unfit',
  // What was read as the console's configuration is none.
  'config_unavailable',
] as const;

export type SessionFailure = (typeof sessionFailures)[number];

export type SessionState =
  | { name: 'starting' }
  | { name: 'signed-in'; userId: string }
  | { name: 'over' }
  | { name: 'signed-out' }
  /** `code` is one of `sessionFailures`, or that of the failure to read the configuration; `detail` the protocol's own word. */
  | { name: 'failed'; code: string; detail?: string };
