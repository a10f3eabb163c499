/** Where the stack answers. */
export const base = process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
