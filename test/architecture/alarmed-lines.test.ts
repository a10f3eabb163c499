import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { alarmedMessages } from '../../shared/logging/log-messages.ts';

const tests = globSync(join(import.meta.dirname, '../{endpoints,integration}/**/*.test.ts'));
const texts = tests.map((path) => readFileSync(path, 'utf8'));

test.each(Object.values(alarmedMessages).flat())('%s, which an alarm counts, is expected by a test of what it is about', (message) => {
  expect(texts.some((text) => text.includes(`'${message}'`))).toBe(true);
});
