import type { LogMessage } from './log-messages.ts';
import { currentRequestId } from './request-id.ts';

/**
 * The one logger: JSON lines on standard output, every value redacted first.
 *
 * Nothing that looks like a license key, token, e-mail address, signed URL,
 * provider or webhook secret is ever written, whatever field it is in, and
 * fields with the name of a secret are masked whole.
 */
export interface Logger {
  info(message: LogMessage, fields?: Record<string, unknown>): void;
  warn(message: LogMessage, fields?: Record<string, unknown>): void;
  error(message: LogMessage, fields?: Record<string, unknown>): void;
}

const mask = '[redacted]';

const secretFields =
  /keys?$|headers$|token|secret|password|authorization|signature|email|fingerprint|pepper|cipher|cookie|^url$|_url$|Url$|^body$|device_?label/i;

const secretTexts = [
  /[A-Z][A-Z0-9]{0,11}(?:[\s\p{Pd}\u2212]+[0-9A-Z]{5}){5}/giu, // license key
  /\b(?=[A-Z]*\d)[A-Z][A-Z0-9]{25,36}\b/gi, // license key without its dashes
  /lst_[\w-]*/gi, // API token
  /eyJ[\w-]+\.[\w-]+\.[\w-]*/g, // JWS
  /[^\s"'<>@/\\()]+@[^\s"'<>@/\\()]+\.[^\s"'<>@/\\()]+/g, // e-mail
  /https?:\/\/[^\s"'<>]*[?#][^\s"'<>]*/g, // URL with a query or fragment
  /\b(?:sk|rk|pk|whsec)_\w+/g, // provider secrets
  /\bBearer\s+\S+/gi,
];

const longestText = 4000;

/** `value` with every secret masked; at most eight levels deep. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return redactText(value);
  }
  if (value === null || typeof value !== 'object') {
    return typeof value === 'bigint' ? String(value) : value;
  }
  if (depth >= 8) {
    return '[…]';
  }
  if (value instanceof Error) {
    return redact(describeError(value), depth + 1);
  }
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  }
  if (ArrayBuffer.isView(value)) {
    return `[${value.byteLength} bytes]`;
  }
  if (Array.isArray(value)) {
    return value.map((element) => redact(element, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [redactText(name), secretFields.test(name) ? mask : redact(field, depth + 1)]),
  );
}

/** Long texts are cut between words, so that half a secret is not overlooked. */
function redactText(text: string): string {
  const end = text.length > longestText ? text.slice(0, longestText).search(/\s\S*$/) : text.length;
  const kept = text.slice(0, Math.max(end, 0));
  const redacted = secretTexts.reduce((masked, pattern) => masked.replace(pattern, mask), kept);
  return kept.length < text.length ? `${redacted}[…]` : redacted;
}

function describeError(error: Error): Record<string, unknown> {
  // Only these: SDK errors carry whole items and requests in their other fields.
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 7),
    ...(error.cause instanceof Error && { cause: error.cause }),
  };
}

/** A logger that adds `context` to every line, and the id of the request that the line is about, where one is known. */
export function createLogger(context: Record<string, unknown>, write: (line: string) => void = writeLine): Logger {
  const log =
    (level: string) =>
    (message: LogMessage, fields: Record<string, unknown> = {}) => {
      const requestId = currentRequestId();
      const line = { at: new Date().toISOString(), level, message, ...context, ...(requestId && { requestId }), ...fields };
      write(JSON.stringify(redact(line)));
    };
  return { info: log('info'), warn: log('warn'), error: log('error') };
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
