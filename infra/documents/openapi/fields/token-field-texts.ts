import type { FieldText } from './field-texts.ts';

const id = 'tok_01KG9TAD3X6ZH25F01K4N8Q9ST';
const at = '2026-01-31T09:00:00.000Z';
const expiresAt = '2026-05-01T09:00:00.000Z';
const secret = Buffer.from('an example of a secret: 32 bytes').toString('base64url');

const name: FieldText = { text: 'What the seller calls it.', example: 'GitHub Actions' };
const shown = {
  id: { text: 'The API token.', example: id },
  name,
  expires_at: { text: 'From when on it opens nothing.', example: expiresAt },
  revoked_at: { text: 'When its seller revoked it.', example: at },
};
const of = (owner: string) => Object.fromEntries(Object.entries(shown).map(([field, text]) => [`${owner}.${field}`, text]));

/** The fields of API tokens, named as those of `fieldTexts`. */
export const tokenFieldTexts: Readonly<Record<string, FieldText>> = {
  expires_in_days: { text: 'For how many days it was made.', example: 90 },
  last_used_at: { text: 'When it was last used, at most a minute late.', example: at },
  product_ids: {
    text: 'The products that it opens; left out, every product of the seller, those too that are made later.',
    example: ['prd_01KG9T3W6P9RA5Y8S4C7E1G2JK'],
  },
  scopes: {
    text: '`releases:read` shows releases and files, `releases:write` brings and edits them, `releases:publish` publishes and withdraws them.',
    example: ['releases:read', 'releases:write'],
  },
  token_id: { text: 'The API token.', example: id },
  'CreateApiTokenRequest.name': name,
  ...of('ApiToken'),
  ...of('NewApiToken'),
  'NewApiToken.token': {
    text: 'Sent as `Authorization: Bearer`, it is the token. It is shown here alone.',
    example: `lst_${id.slice(4)}_${secret}`,
  },
};
