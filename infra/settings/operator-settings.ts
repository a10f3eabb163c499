/** The values the operator gives at synthesis, by setting name. */
export type OperatorSettings = Readonly<Record<string, string | undefined>>;

/** Those that hold something: an empty value counts as none, but for the list of admins, which may be empty. */
export const settingsGiven = (settings: OperatorSettings): OperatorSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== '' || name === 'ADMIN_ALLOWLIST'));
