import { go } from '../clients/languages/go.ts';
import { java } from '../clients/languages/java.ts';
import type { Language } from '../clients/languages/language.ts';
import { python } from '../clients/languages/python.ts';
import { rust } from '../clients/languages/rust.ts';

/** A test of another toolchain, or a drill: what it proves changes seldom, and proving it takes long. */
export interface NightlyTest {
  /** The files that it judges, and those that it judges by, as glob patterns; its own file belongs to them anyway. */
  covers: readonly string[];
  /** The Debian packages without which it is skipped. */
  needs: readonly string[];
  /** It measures time, and so runs alone, after all others. */
  isTimed?: true;
}

const anyLanguage = ['test/clients/conformance.ts', 'test/clients/conformance/*', 'test/clients/languages/{language,resident}.ts'];
const vectors = 'infra/documents/clients/lease-vectors.json';
const typescriptClient = 'infra/documents/clients/license-client.ts';
const typescriptDriver = 'test/clients/{run-driver.ts,drivers/typescript/*}';
const scripted = 'test/clients/{device,scripted-service}.ts';
/** What is run as it stands on the page. */
const guideCode = 'test/support/http/guide-code.ts';
const updateSamples = 'infra/documents/site/parts/update-samples.ts';
const inStacks = 'test/support/scenes/{stack,stack-harness,sold-stock}.ts';

/** What every test of the console in a browser stands on, and the rooms of its screens, such as `seller/home`. */
const ofConsole = (...screens: string[]) => [
  'functions/console/*.ts',
  'functions/console/browser/*.tsx',
  'functions/console/browser/{api,components,fields,forms,frame,orders,session,store,styles,text,uploads,words}/*',
  ...screens.map((room) => `functions/console/browser/${room}/*`),
  'shared/design/*',
  'infra/bundles/*.ts',
  'infra/local/{examples,identity}/*.ts',
  'test/support/http/{browser,console,in-browser}.ts',
  'test/support/{console,scenes/console}/*.ts',
  inStacks,
];

/** What the client of a language is, and what it is measured by. */
function clientIn({ needs }: Language, name: string, client: string): NightlyTest {
  const own = [`infra/documents/clients/${client}`, `test/clients/drivers/${name}/*`, `test/clients/languages/${name}.ts`];
  return { covers: [...own, ...anyLanguage, vectors, typescriptClient], needs };
}

/** An app's updater, as its package is or as its sources say, by the code of the guide against the stack. */
function updater(...packageNames: string[]): NightlyTest {
  const feeds = ['functions/updates/*.ts', 'shared/{updates,leases}/**/*.ts', 'shared/product-files/storage/download-signer.ts'];
  const tests = ['test/clients/updaters/*', 'test/support/scenes/releases/sold-app.ts', guideCode, inStacks];
  return { covers: [...feeds, ...tests, updateSamples, ...packageNames.map((name) => `node_modules/${name}/package.json`)], needs: [] };
}

/** What tests the benchmarks, which the service never runs. */
const ofBenchmarks: NightlyTest = { covers: ['test/bench/**'], needs: [] };

/** Each by its path without `.test.ts`. */
export const nightlyTests: Readonly<Record<string, NightlyTest>> = {
  'test/bench/cost/reckon': ofBenchmarks,
  'test/bench/day/day': ofBenchmarks,
  'test/bench/day/faults': ofBenchmarks,
  'test/bench/sales/limits/limit-client': ofBenchmarks,
  'test/bench/sales/limits/partition-limits': ofBenchmarks,
  'test/clients/go': clientIn(go, 'go', 'license_client.go'),
  'test/clients/java': clientIn(java, 'java', 'LicenseClient.java'),
  'test/clients/python': clientIn(python, 'python', 'license_client.py'),
  'test/clients/rust': clientIn(rust, 'rust', 'license_client.rs'),
  'test/clients/typescript': { covers: [...anyLanguage, vectors, typescriptClient, typescriptDriver], needs: [] },
  'test/clients/runtimes': { covers: [vectors, typescriptClient, typescriptDriver, scripted], needs: [] },
  'test/clients/typescript-client': {
    covers: [vectors, typescriptClient, scripted, 'infra/documents/site/{javascript,languages}.ts', 'shared/licenses/runtime-license.ts'],
    needs: [],
  },
  'test/clients/typescript-client-offline': { covers: [vectors, typescriptClient, scripted], needs: [] },
  'test/clients/browser-client': {
    covers: [vectors, typescriptClient, scripted, 'infra/documents/site/javascript.ts', 'test/support/http/browser.ts'],
    needs: [],
  },
  'test/clients/lease-vectors': { covers: [vectors, typescriptClient, 'infra/commands/lease-vectors/*', 'shared/leases/*.ts'], needs: [] },
  'test/clients/updaters/appcast': {
    covers: [
      'shared/updates/feeds/{appcast,tauri}.ts',
      'shared/releases/artifacts/artifact.ts',
      'shared/text/markdown.ts',
      'node_modules/xast-util-to-xml/package.json',
    ],
    needs: ['libxml2-utils', 'minisign'],
  },
  'test/clients/generators/generators': {
    covers: [
      'functions/docs/*.ts',
      'infra/documents/openapi/**',
      'test/clients/generators/*',
      'node_modules/{@hey-api/openapi-ts,openapi-fetch,openapi-typescript,orval}/package.json',
    ],
    needs: [],
  },
  'test/clients/updaters/addresses': updater(),
  'test/clients/updaters/electron-updater': updater('electron-updater'),
  'test/clients/updaters/velopack': updater('velopack'),
  'test/clients/receivers': { covers: ['infra/documents/samples/receiver.*', 'shared/seller-events/seller-event.ts'], needs: python.needs },
  'test/clients/sample-apps': {
    covers: [
      'infra/documents/{clients,samples}/*',
      'infra/documents/{docs,site}/**',
      'functions/docs/*.ts',
      'test/clients/languages/*',
      guideCode,
    ],
    needs: [...go.needs, ...java.needs, ...python.needs, ...rust.needs],
  },
  'test/endpoints/http/worst-texts': {
    covers: ['functions/*/*-*.ts', 'shared/http/**/*.ts', 'shared/{schemas,email-address,errors}.ts', 'shared/text/license-key.ts'],
    needs: [],
  },
  'test/endpoints/http/markup-checker': {
    covers: [
      'functions/pages/{*.ts,checkout/*,purchase/*,releases/*,texts/*,views/*}',
      'infra/documents/docs/**/*.md',
      'infra/{documents/site,local/pages}/**/*.ts',
      'shared/{html,operator}.ts',
      'shared/mail/**/*.ts',
      'test/support/scenes/pages/{every-markup,page-harness}.ts',
    ],
    needs: ['openjdk-17-jre-headless'],
  },
  'test/e2e/reference': {
    covers: [
      'functions/docs/*.ts',
      'infra/documents/{openapi,site}/**',
      'node_modules/swagger-ui-dist/package.json',
      'test/support/http/browser.ts',
    ],
    needs: [],
  },
  'test/e2e/activation-page': {
    covers: [
      'functions/pages/**',
      'functions/licenses/*.ts',
      'shared/{leases,licenses}/*.ts',
      'test/support/http/{browser,in-browser,page-server}.ts',
      'test/support/scenes/{lease-scene,pages/buyer-pages}.ts',
    ],
    needs: [],
  },
  'test/e2e/console/account': {
    covers: [
      ...ofConsole('seller/{account,home}'),
      'functions/console/screens.ts',
      'functions/sellers/*.ts',
      'infra/local/pages/*.ts',
      'shared/{overview,sellers}/*.ts',
    ],
    needs: [],
  },
  'test/e2e/console/products': {
    covers: [
      ...ofConsole('seller/{codes,files,products}'),
      'functions/{code-batches,code-importer,file-hasher,product-files}/*.ts',
      'shared/{code-batches,pictures}/*.ts',
      'shared/product-files/**/*.ts',
    ],
    needs: [],
  },
  'test/e2e/console/releases': {
    covers: [
      ...ofConsole('admin/{decisions,queue,releases}', 'seller/{products,releases,tokens}'),
      'functions/admin/reviews/*.ts',
      'functions/{api-tokens,releases}/*.ts',
      'shared/{api-tokens,publishing,releases}/**/*.ts',
    ],
    needs: [],
  },
  'test/e2e/console/sales': {
    covers: [
      ...ofConsole('seller/{discounts,orders,products,webhooks}'),
      'functions/{discounts,event-sender,webhook-endpoints}/*.ts',
      'functions/orders/**/*.ts',
      'shared/{buyer-email,licenses,order-history,order-search,orders}/**/*.ts',
      'shared/{discounts,seller-events,webhook-endpoints}/**/*.ts',
    ],
    needs: [],
  },
  'test/e2e/console/admin': {
    covers: [
      ...ofConsole('admin/{audit,decisions,jobs,orders,products,queue,sellers}'),
      'functions/admin/**/*.ts',
      'shared/{audit,buyer-access,buyer-email,jobs,order-search,orders,product-files,products,publishing}/**/*.ts',
      'shared/{review-queue,sellers}/*.ts',
    ],
    needs: [],
  },
  'test/e2e/console/budgets': { covers: ofConsole('{admin,seller}/*'), needs: [], isTimed: true },
  'test/e2e/console/every-screen': { covers: [...ofConsole('{admin,seller}/*'), 'functions/{api-tokens,products}/*.ts'], needs: [] },
  'test/e2e/console/upload-memory': {
    covers: ['functions/console/browser/uploads/*', 'node_modules/hash-wasm/package.json', 'test/support/http/browser.ts'],
    needs: [],
  },
  'test/e2e/kills': {
    covers: [
      'functions/{event-projector,file-hasher,licenses,mail-sender,payment-webhooks,product-files}/*.ts',
      'shared/{checkout,db,jobs,licenses,mail,orders,payments,product-files,queue}/**/*.ts',
      'infra/local/**/*.ts',
      inStacks,
    ],
    needs: [],
  },
  'test/e2e/release-script': {
    covers: [
      'infra/documents/{samples/release.*,site/parts/build-machines.ts}',
      guideCode,
      'functions/releases/*.ts',
      'functions/product-files/*.ts',
      inStacks,
    ],
    needs: ['curl', 'jq'],
  },
  'test/infra/template-schemas': {
    covers: [
      'infra/*.ts',
      'infra/{constructs,stacks}/**/*.ts',
      'functions/*/{declaration,routes}.ts',
      'node_modules/aws-cdk-lib/package.json',
    ],
    needs: [],
  },
  'test/infra/releases/promotion': { covers: ['infra/*.ts', 'infra/{bundles,constructs,stacks}/**/*.ts'], needs: [] },
  'test/integration/dynamo-clients': { covers: ['shared/aws/*.ts', 'shared/db/dynamo/*.ts'], needs: [] },
  'test/integration/operations/planted-faults': {
    covers: ['infra/commands/ops/check/*', 'shared/db/keys.ts', 'test/integration/operations/{checked-stack,planted-faults}.ts', inStacks],
    needs: [],
  },
  'test/integration/operations/reconcile': {
    covers: ['infra/commands/ops/reconcile/*', 'shared/product-files/**/*.ts', 'test/support/scenes/releases/sold-app.ts', inStacks],
    needs: [],
  },
  'test/integration/operations/secrets': {
    covers: [
      'infra/commands/ops/{ops,where}.ts',
      'infra/commands/ops/secrets/*',
      'shared/{aws,crypto}/*.ts',
      'shared/leases/lease-keys.ts',
    ],
    needs: [],
  },
  'test/integration/payments/provider-conformance': {
    covers: [
      'infra/local/payment-provider/**/*.ts',
      'shared/payments/**/*.ts',
      'test/support/provider-schemas/*.ts',
      'node_modules/stripe/package.json',
    ],
    needs: [],
  },
  'test/integration/payments/provider-requests': {
    covers: [
      'infra/local/payment-provider/**/*.ts',
      'shared/payments/**/*.ts',
      'test/support/provider-schemas/*.ts',
      'test/support/http/recording-proxy.ts',
      'node_modules/stripe/package.json',
    ],
    needs: [],
  },
  'test/integration/races/addresses': {
    covers: [
      'functions/{event-projector,mail-sender,purchases}/*.ts',
      'shared/{buyer-access,buyer-email,db,mail,orders,payments}/**/*.ts',
      'test/support/{interrupt,serializable,scenes/address-office}.ts',
    ],
    needs: [],
  },
  'test/integration/product-files/pictures': {
    covers: [
      'functions/file-hasher/*.ts',
      'shared/pictures/*.ts',
      'test/support/samples/pictures.ts',
      'node_modules/@silvia-odwyer/photon-node/package.json',
    ],
    needs: [],
  },
  'test/integration/product-files/file-memory': {
    covers: [
      'functions/file-hasher/*.ts',
      'shared/product-files/storage/object-store.ts',
      'infra/local/object-store/*.ts',
      'test/support/{scenes/file-processes,engines/process-memory,engines/*-process}.ts',
    ],
    needs: [],
  },
  'test/local/demo': {
    covers: [
      'infra/commands/{start.ts,demo/*,ops/smoke.ts}',
      'infra/documents/clients/license-client.ts',
      'infra/local/**/*.ts',
      'test/support/{call-command,scenes/stack}.ts',
    ],
    needs: [],
  },
  'test/local/restore': {
    covers: ['infra/commands/{demo,ops}/**', 'infra/local/{data-directory,stack-file}.ts', 'shared/jobs/*.ts', inStacks],
    needs: [],
  },
  'test/local/rotation': {
    covers: [
      'infra/commands/ops/{rekey.ts,secrets/*}',
      'shared/{aws,crypto}/*.ts',
      'shared/{config,start-function}.ts',
      'shared/licenses/rekeying/*.ts',
      inStacks,
    ],
    needs: [],
  },
};
