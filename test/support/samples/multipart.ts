/** The body and headers a browser would send for a form of these parts; a Blob goes as a file. */
export async function multipart(
  parts: readonly (readonly [string, string | Blob])[],
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'codes.csv');
  }
  const encoded = new Response(form);
  return { body: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': encoded.headers.get('content-type') ?? '' } };
}

export const csv = (text: string | Uint8Array<ArrayBuffer>) => new Blob([text], { type: 'text/csv' });
