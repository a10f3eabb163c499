import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { SecondFactor } from '../../settings/deployment.ts';
import { signInAddresses } from './addresses.ts';
import { invitationDays, invitationMail, verificationMail } from './mails.ts';

export interface ConsoleUsersProps {
  /** Part of the address of the pages where users sign in. */
  stage: string;
  publicBaseUrl: string;
  secondFactor: SecondFactor;
}

const mfa: Readonly<Record<SecondFactor, Mfa>> = { off: Mfa.OFF, optional: Mfa.OPTIONAL, required: Mfa.REQUIRED };

/**
 * A Cognito user pool for the console, with the pages where users sign up and in, and the console as its one client: a
 * public one, which has no secret and proves itself by PKCE. It outlives the stack. See "A user pool" in README.md.
 */
export class ConsoleUsers extends Construct {
  readonly issuer: string;
  readonly clientId: string;

  constructor(scope: Construct, id: string, { stage, publicBaseUrl, secondFactor }: ConsoleUsersProps) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      userPoolName: `license-service-${stage}`,
      // The pages where one signs in are not part of the plan below it.
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Admins are known by their address: a new one counts once it is verified.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      userVerification: verificationMail,
      userInvitation: invitationMail(publicBaseUrl),
      mfa: mfa[secondFactor],
      // Of an app on the user's device: a message to a telephone costs, and can be redirected.
      ...(secondFactor !== 'off' && { mfaSecondFactor: { sms: false, otp: true } }),
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(invitationDays),
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { callbacks, logouts, scopes } = signInAddresses(publicBaseUrl);
    const client = new UserPoolClient(this, 'Console', {
      userPool: pool,
      userPoolClientName: 'console',
      generateSecret: false,
      preventUserExistenceErrors: true,
      // Users sign in on Cognito's own pages alone.
      authFlows: { user: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: scopes.map((each) => OAuthScope.custom(each)),
        callbackUrls: callbacks,
        logoutUrls: logouts,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      readAttributes: new ClientAttributes().withStandardAttributes({ email: true, emailVerified: true }),
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true }),
      accessTokenValidity: Duration.hours(1),
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(12),
      enableTokenRevocation: true,
      // What a tab got and could not read, because its network failed, it may ask for again.
      refreshTokenRotationGracePeriod: Duration.seconds(30),
    });
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: `license-service-${stage}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Without it those pages say that they are not available.
    const branding = new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    // A first deployment that fails must free the address.
    for (const part of [client, domain, branding]) part.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.issuer = pool.userPoolProviderUrl;
    this.clientId = client.userPoolClientId;
  }
}
