import { type Bundle, bundleFunctions, discardBundles } from '../../infra/bundles/bundle-functions.ts';
import { type FunctionDefinition, findFunctions } from '../../infra/bundles/find-functions.ts';

export interface BundledFunction {
  definition: FunctionDefinition;
  bundle: Bundle;
}

/** How many bytes a function may hold; one that apps wait for at their start has less. */
export const byteBudgetOf = (functionName: string) => (functionName === 'licenses' ? 200_000 : 800_000);

/** Every function with the code that would be deployed, until `discard`. */
export async function bundleAll(): Promise<{ functions: BundledFunction[]; discard(): void }> {
  const definitions = await findFunctions();
  const bundles = await bundleFunctions(definitions);
  const functions = definitions.map((definition) => {
    const bundle = bundles.get(definition.name);
    if (!bundle) throw new Error(`${definition.name} was not bundled.`);
    return { definition, bundle };
  });
  return { functions, discard: () => discardBundles(bundles) };
}
