/**
 * Replaces `@aws-sdk/credential-provider-node` in every bundle. A Lambda function
 * always has its credentials in the environment, so the other places to look for
 * them, 85 KB of code, stay out.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  sessionToken: process.env['AWS_SESSION_TOKEN'],
});
