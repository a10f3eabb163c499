import { UNKNOWN_REGION } from 'aws-cdk-lib/cx-api';
import type { FunctionDefinition } from '../../../infra/bundles/find-functions.ts';
import { operatorSettings, synthesizeAt } from '../synthesized.ts';
import type { Json } from './identifiers.ts';
import { account, region } from './identifiers.ts';

export interface Template {
  Resources: Record<string, Json>;
  Outputs?: Record<string, Json>;
  Parameters?: Record<string, Json>;
  Mappings?: Record<string, Json>;
  Conditions?: Record<string, Json>;
}

export interface SynthesizedStack {
  name: string;
  region: string;
  template: Template;
  terminationProtection: boolean;
}

export interface SynthesizedApp {
  stage: string;
  stacks: SynthesizedStack[];
  definitions: readonly FunctionDefinition[];
}

/** With everything that is made only when the operator asks for it. */
export const everySetting = {
  ...operatorSettings,
  OIDC_ISSUER: '',
  OIDC_AUDIENCE: '',
  CONSOLE_USER_POOL: 'create',
  CONSOLE_ORIGINS: 'https://console.example.com',
  TERMS_URL: 'https://example.com/terms',
  EDGE_DOMAIN: 'licenses.example.com',
  EDGE_CERTIFICATE_ARN: `arn:aws:acm:us-east-1:${account}:certificate/11111111-2222-3333-4444-555555555555`,
  EDGE_ORIGIN: 'https://api.execute-api.eu-west-1.amazonaws.com',
  EDGE_ZONE_ID: 'Z0123456789ABC',
  EDGE_LICENSE_RATE: '100',
  EDGE_RATE: '300',
  EDGE_SECRET_VERSION: '11111111-2222-3333-4444-555555555555',
  CONSOLE_TOKEN: 'access',
  RESERVED_CONCURRENCY: 'licenses=200,storefront=50',
  SECRETS_SECONDS: '60',
};

/** All templates of the app at a stage, as they would be deployed. */
export async function stacksAt(stage: string): Promise<SynthesizedApp> {
  const { assembly, functions } = await synthesizeAt(stage, everySetting);
  const { stacks } = assembly;
  return {
    stage,
    definitions: functions,
    stacks: stacks.map((stack) => ({
      name: stack.stackName,
      region: stack.environment.region === UNKNOWN_REGION ? region : stack.environment.region,
      template: stack.template,
      terminationProtection: stack.terminationProtection ?? false,
    })),
  };
}
