/** The values the operator gives at synthesis, by setting name. */
export type OperatorSettings = Readonly<Record<string, string | undefined>>;

/** Those that hold something: an empty value counts as none, but for the list of admins, which may be empty. */
export const settingsGiven = (settings: OperatorSettings): OperatorSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== '' || name === 'ADMIN_ALLOWLIST'));

/** A sentence for each setting that is given in another form than its own. */
export const malformedSettings = (given: OperatorSettings, forms: Readonly<Record<string, (text: string) => boolean>>): string[] =>
  Object.entries(forms).flatMap(([name, isFit]) => (given[name] && !isFit(given[name]) ? [`${name} is malformed`] : []));
