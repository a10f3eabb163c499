const number = '(?:0|[1-9]\\d*)';
const identifier = `(?:${number}|\\d*[A-Za-z-][\\dA-Za-z-]*)`;
const versionForm = new RegExp(`^${number}\\.${number}\\.${number}(?:-${identifier}(?:\\.${identifier})*)?$`);

/** SemVer 2.0.0 without build metadata, numbers of at most 9 digits: what every updater's comparator can hold. */
export const isVersion = (value: string): boolean =>
  value.length <= 64 && !/(?:^|[.-])\d{10,}(?=$|[.-])/.test(value) && versionForm.test(value);

/** Whether the version belongs on the stable channel, and on no other. */
export const isStableVersion = (version: string): boolean => !version.includes('-');
