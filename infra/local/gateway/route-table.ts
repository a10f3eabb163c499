/** Where a request goes: the route's key and the path parameters, percent-decoded. */
export interface RouteMatch {
  routeKey: string;
  pathParameters: Record<string, string>;
}

/** The gateway's catch-all route. */
export const defaultRouteKey = '$default';

interface Pattern {
  routeKey: string;
  method: string;
  segments: string[];
}

/**
 * Chooses a route as an HTTP API does: method and path must both match, a literal
 * segment goes before a parameter, a parameter before one that takes all the rest
 * (`{path+}`), on the same path a method before `ANY`, and what matches nothing goes to `$default`.
 */
export function createRouteTable(routeKeys: readonly string[]): (method: string, path: string) => RouteMatch {
  const patterns = routeKeys
    .filter((routeKey) => routeKey !== defaultRouteKey)
    .map((routeKey): Pattern => {
      const [method = '', path = ''] = routeKey.split(' ');
      return { routeKey, method, segments: path.split('/') };
    })
    .sort((a, b) => (specificity(a) < specificity(b) ? -1 : 1));

  return (method, path) => {
    const segments = path.split('/');
    for (const pattern of patterns) {
      const pathParameters = takes(pattern, method) ? matchSegments(pattern.segments, segments) : undefined;
      if (pathParameters) return { routeKey: pattern.routeKey, pathParameters };
    }
    return { routeKey: defaultRouteKey, pathParameters: {} };
  };
}

const anyMethod = 'ANY';
const takes = ({ method }: Pattern, sent: string) => method === anyMethod || method === sent;

/** Sorts literal segments before parameters, from the left, and of equal paths a method before any. */
const specificity = ({ method, segments }: Pattern) =>
  [...segments.map((segment) => (isGreedy(segment) ? '2' : isParameter(segment) ? '1' : '0')), method === anyMethod ? ' 1' : ' 0'].join('');

const isParameter = (segment: string) => segment.startsWith('{');
/** Takes this segment and all after it, be it the one empty segment behind a slash. */
const isGreedy = (segment: string) => segment.endsWith('+}');

function matchSegments(pattern: readonly string[], actual: readonly string[]): Record<string, string> | undefined {
  const takesRest = isGreedy(pattern.at(-1) ?? '');
  if (takesRest ? actual.length < pattern.length : actual.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = decodeSegment(actual[index] ?? '');
    if (isGreedy(segment)) {
      parameters[segment.slice(1, -2)] = actual.slice(index).map(decodeSegment).join('/');
    } else if (isParameter(segment)) {
      if (value === '') return undefined;
      parameters[segment.slice(1, -1)] = value;
    } else if (segment !== value) {
      return undefined;
    }
  }
  return parameters;
}

/** A malformed escape stays as it was sent: it names nothing, and the function answers that. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
