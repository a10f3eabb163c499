import type { FunctionDefinition } from '../../../infra/bundles/find-functions.ts';
import { operatorSettings, synthesizeAt } from '../synthesized.ts';

/** Any JSON: what is in a template is what is tested. */
export type Json = any;

export interface Template {
  Resources: Record<string, Json>;
  Outputs?: Record<string, Json>;
  Parameters?: Record<string, Json>;
}

export interface SynthesizedStack {
  name: string;
  template: Template;
  terminationProtection: boolean;
  /** Names of stacks that are deployed before. */
  after: string[];
}

export interface SynthesizedApp {
  stage: string;
  stacks: SynthesizedStack[];
  definitions: readonly FunctionDefinition[];
}

/** With everything that is made only when the operator asks for it. */
const everySetting = {
  ...operatorSettings,
  CONSOLE_ORIGINS: 'https://console.example.com',
  TERMS_URL: 'https://example.com/terms',
};

/** All templates of the app at a stage, as they would be deployed. */
export async function stacksAt(stage: string): Promise<SynthesizedApp> {
  const { app, functions } = await synthesizeAt(stage, everySetting);
  const { stacks } = app.synth();
  return {
    stage,
    definitions: functions,
    stacks: stacks.map((stack) => ({
      name: stack.stackName,
      template: stack.template,
      terminationProtection: stack.terminationProtection ?? false,
      after: stack.dependencies.map(({ id }) => id).filter((id) => stacks.some(({ stackName }) => stackName === id)),
    })),
  };
}
