export interface HttpRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Where the hosted pages are. */
  baseUrl: string;
  /** No way to pay is switched on in the platform's account. */
  withoutMethods?: boolean | undefined;
}

/** What is answered: with `:id` in the place of an object's id. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
}

/** The one of the routes that the request takes, and the id in its path, blank where it has none. */
export function findRoute<R extends Route>(routes: readonly R[], { method, path }: HttpRequest): { route: R; id: string } | undefined {
  for (const route of routes) {
    const match = route.method === method ? new RegExp(`^${route.path.replace(':id', '([A-Za-z0-9_]+)')}$`).exec(path) : null;
    if (match) return { route, id: match[1] ?? '' };
  }
  return undefined;
}
