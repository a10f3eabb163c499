/** The protected header of our tokens: these members and no others, so that nothing in it leads to another key or meaning. */
export interface JwsHeader {
  alg: 'ES256' | 'HS256';
  typ: string;
  kid: string;
}

/** A token in its compact form (RFC 7515), read and not yet verified. */
export interface UnverifiedJws {
  header: JwsHeader;
  claims: Record<string, unknown>;
  /** What the signature is of. */
  signed: Buffer;
  signature: Buffer;
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A writer of tokens with this header. */
export function createJwsWriter(header: JwsHeader, sign: (signed: Buffer) => Buffer): (claims: object) => string {
  const start = encoded(header);
  return (claims) => {
    const signed = `${start}.${encoded(claims)}`;
    return `${signed}.${sign(Buffer.from(signed)).toString('base64url')}`;
  };
}

/** Undefined for a text that no writer would have made of a header of this algorithm and type. */
export function readJws(token: string, { alg, typ }: Omit<JwsHeader, 'kid'>): UnverifiedJws | undefined {
  const [, start = '', claims = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  const [header, body] = [objectOf(start), objectOf(claims)];
  const kid = header?.['kid'];
  const isOurs = header?.['alg'] === alg && header['typ'] === typ && Object.keys(header).length === 3;
  if (!isOurs || typeof kid !== 'string' || !body || !isCanonical(signature)) return undefined;
  const signed = Buffer.from(`${start}.${claims}`);
  return { header: { alg, typ, kid }, claims: body, signed, signature: Buffer.from(signature, 'base64url') };
}

/** One signature has one text: the bits that are left over in the last symbol are not anybody's to choose. */
const isCanonical = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text;

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
