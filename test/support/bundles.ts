import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundleIndexFile } from '../../infra/bundles/bundle-functions.ts';
import { type FunctionDefinition, findFunctions } from '../../infra/bundles/find-functions.ts';
import { synthesize } from '../../infra/local/synthesis.ts';
import { readSynthesizedApp } from '../../infra/local/template.ts';

export interface BundledFunction {
  definition: FunctionDefinition;
  bundle: Bundle;
}

/** How many bytes a function may hold; one that apps wait for at their start has less. */
export const byteBudgetOf = (functionName: string): number => byteBudgets[functionName] ?? 800_000;
const byteBudgets: Readonly<Record<string, number>> = { licenses: 200_000, updates: 250_000 };

/** Every function with the code that would be deployed: that of the synthesized app. */
export async function bundledFunctions(): Promise<BundledFunction[]> {
  const assembly = await synthesize(() => undefined);
  const app = readSynthesizedApp(assembly);
  const contents: Record<string, Bundle> = JSON.parse(readFileSync(join(assembly, bundleIndexFile), 'utf8'));
  const keyOf = new Map(app.ofType('AWS::Lambda::Function').map(({ properties }: any) => [properties.Description, properties.Code.S3Key]));
  return (await findFunctions()).map((definition) => {
    const bundle = contents[definition.name];
    if (!bundle) throw new Error(`${definition.name} was not bundled.`);
    return { definition, bundle: { ...bundle, folder: app.assetFolder(keyOf.get(`license-service ${definition.name}`)) } };
  });
}
