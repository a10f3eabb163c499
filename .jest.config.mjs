export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  globalSetup: './test/support/engines/start-engines.ts',
  globalTeardown: './test/support/engines/stop-engines.ts',
  testTimeout: 30_000,
};
