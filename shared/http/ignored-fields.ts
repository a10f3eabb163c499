const maxNames = 20;
/** Names that a header may hold, and that no one could take for several. */
const headerSafeName = /^[\w.$-]{1,64}$/;

/**
 * What a header says of the members of a JSON object that nothing knows: in the order in which the text has them, each
 * once; undefined where there is none. `text` is valid JSON: the parsed object would have lost their order, and those
 * that are named twice.
 */
export function ignoredFieldsOf(text: string, known: ReadonlySet<string>): string | undefined {
  return namesBeyond(namesIn(text), known);
}

/** The same of the parameters of a query string. */
export function ignoredParametersOf(rawQuery: string, known: ReadonlySet<string>): string | undefined {
  return namesBeyond([...new URLSearchParams(rawQuery).keys()], known);
}

function namesBeyond(names: readonly string[], known: ReadonlySet<string>): string | undefined {
  const unknown = new Set(names.filter((name) => !known.has(name) && headerSafeName.test(name)));
  return unknown.size === 0 ? undefined : [...unknown].slice(0, maxNames).join(', ');
}

/** Strings, and the signs that open, close and separate. */
const tokens = /"(?:[^"\\]+|\\.)*"|[{}[\]:,]/g;

/** The names of the members of the object itself, not of those within. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) names.push(String(JSON.parse(last)));
    last = token;
  }
  return names;
}
