export type BrowserSession = ReturnType<typeof sessionCookie>;

/** The cookie by which the issuer knows a browser again. Browsers tell no ports apart, so its name does. */
export function sessionCookie(issuer: string) {
  const { pathname, port, protocol } = new URL(issuer);
  const name = `local_identity_${port || protocol.slice(0, -1)}`;
  const attributes = `Path=${pathname}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    read(headers: Readonly<Record<string, string>>): string | undefined {
      const cookies = (headers['cookie'] ?? '').split(/[;,] */).map((cookie) => cookie.split('='));
      return cookies.find(([key]) => key === name)?.[1];
    },
    set: (sessionId: string) => ({ 'Set-Cookie': `${name}=${sessionId}; ${attributes}` }),
    clear: () => ({ 'Set-Cookie': `${name}=; Max-Age=0; ${attributes}` }),
  };
}
