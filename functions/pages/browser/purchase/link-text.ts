/** As the service signs it. The length of its signature tells where it ends, whatever is left behind it when lines are joined. */
const whole = /eyJ[\w-]{1,500}\.[\w-]{1,2000}\.[\w-]{43}/;

/**
 * The completion token in a link, or in a text with a link or a token in it, as mail programs and people pass them on: broken
 * into lines, and without what stands behind it. Empty where there is none.
 */
export function tokenIn(text: string): string {
  const [token] = whole.exec(text.replace(/[\s>]+/g, '')) ?? [];
  const [, given = ''] = /token(?:=|%3d)([\w.-]+)/i.exec(text) ?? [];
  return token ?? given.replace(/\.+$/, '');
}
