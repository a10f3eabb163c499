export const settingNames = ['STAGE', 'TABLE_NAME', 'AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'CONSOLE_ORIGINS'] as const;
