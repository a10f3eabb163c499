import { type Bundle, bundleFunctions } from '../../infra/bundles.ts';
import { type FunctionDefinition, findFunctions } from '../../infra/functions.ts';

export interface BundledFunction {
  definition: FunctionDefinition;
  bundle: Bundle;
}

/** Every function with the code that would be deployed. */
export async function bundleAll(): Promise<BundledFunction[]> {
  const definitions = await findFunctions();
  const bundles = await bundleFunctions(definitions);
  return definitions.map((definition) => {
    const bundle = bundles.get(definition.name);
    if (!bundle) throw new Error(`${definition.name} was not bundled.`);
    return { definition, bundle };
  });
}
