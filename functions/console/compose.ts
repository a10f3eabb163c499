import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { callerOptions } from '../../shared/http/callers/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { isLocale, preferredLocale } from '../../shared/locale.ts';
import { compress } from '../../shared/page-delivery/compress.ts';
import { acceptsHtml, withFailurePage } from '../../shared/page-delivery/failure-page.ts';
import type { Start } from '../../shared/start.ts';
import type { ConsoleAssets } from './assets.ts';
import type { Console } from './console.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';
import { staticHeaders } from './security-headers.ts';
import { renderFailure } from './shell.ts';
import { createFindSignIn } from './sign-in.ts';
import { storeOriginOf } from './store-origin.ts';

/** The console of sellers and admins: its shell, what that loads, and where it signs in. */
export function compose({ settings, logger, consoleAssets }: Start<typeof declaration> & { consoleAssets: ConsoleAssets }) {
  const { CONSOLE_CLIENT_ID: clientId, MAX_FILE_BYTES: maxFileBytes, SELLER_STORAGE_BYTES: sellerStorageBytes } = settings;
  const services: Console = {
    clientId,
    token: settings.CONSOLE_TOKEN,
    origin: new URL(settings.PUBLIC_BASE_URL).origin,
    storeOrigin: storeOriginOf(settings.BUCKET_NAME),
    currencies: settings.CURRENCIES,
    limits: { maxFileBytes, sellerStorageBytes },
    assets: consoleAssets,
    findIssuer: createFindSignIn({ issuer: settings.OIDC_ISSUER, keysSeconds: settings.OIDC_KEYS_SECONDS }),
  };
  const present = (event: APIGatewayProxyEventV2, reply: APIGatewayProxyStructuredResultV2) => {
    const page = acceptsHtml(event) ? withFailurePage(reply, (error) => renderFailure({ ...error, locale: localeOf(event), isOn })) : reply;
    return compress(event, { ...page, headers: { ...staticHeaders, ...page.headers } });
  };
  const isOn = clientId !== undefined;
  const handler = createHandler({ routes, services, logger, transformReply: present, ...callerOptions(settings) });
  return Object.assign(handler, isOn ? { prime: services.findIssuer } : {});
}

function localeOf({ queryStringParameters, headers }: APIGatewayProxyEventV2) {
  const lang = queryStringParameters?.['lang'];
  return isLocale(lang) ? lang : preferredLocale(headers['accept-language']);
}
