import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ConsoleUsers, type ConsoleUsersProps } from '../constructs/sign-in/user-pool.ts';

/** Where users of the console sign up and in, where the operator brings no identity provider. */
export class IdentityStack extends Stack {
  /** What follows for the functions; their own values are references into this stack. */
  readonly settings: Readonly<Record<'OIDC_ISSUER' | 'OIDC_AUDIENCE' | 'CONSOLE_CLIENT_ID' | 'CONSOLE_TOKEN', string>>;

  constructor(scope: Construct, id: string, { stage, publicBaseUrl, secondFactor, ...props }: ConsoleUsersProps & StackProps) {
    super(scope, id, props);
    const { issuer, clientId } = new ConsoleUsers(this, 'Users', { stage, publicBaseUrl, secondFactor });
    // Cognito's access tokens have no address, by which admins are known.
    this.settings = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: clientId, CONSOLE_CLIENT_ID: clientId, CONSOLE_TOKEN: 'id' };
    new CfnOutput(this, 'Issuer', { value: issuer, description: 'What OIDC_ISSUER is' });
    new CfnOutput(this, 'ClientId', { value: clientId, description: 'What OIDC_AUDIENCE and CONSOLE_CLIENT_ID are' });
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-COG3', reason: 'Threat protection is part of a dearer plan; the operator may choose it.' },
      { id: 'AwsSolutions-COG8', reason: 'The plan below has all that the console needs; the operator may choose the dearer one.' },
    );
    if (secondFactor !== 'required')
      Validations.of(this).acknowledge({ id: 'AwsSolutions-COG2', reason: withoutSecondFactor[secondFactor] });
  }
}

const withoutSecondFactor = {
  off: 'The operator chose (CONSOLE_MFA) that users sign in with a password alone.',
  optional:
    'The operator chose (CONSOLE_MFA) that only those sign in with a second factor for whom a program of the operator set one up: the pages of Cognito offer no set-up then.',
} as const;
