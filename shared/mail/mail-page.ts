import { type Html, html } from '../html.ts';
import type { Locale } from '../locale.ts';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** The HTML of a mail: one narrow column, without tables, scripts or anything that is fetched. */
export function mailPage(locale: Locale, subject: string, content: Html): string {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.7 system-ui,-apple-system,'Hiragino Sans','Noto Sans JP',sans-serif">
<div style="max-width:560px;margin:0 auto">
${content}
</div>
</body>
</html>
`.toString();
}

/** A link that looks like a button. */
export const mailButton = (url: string, label: string): Html =>
  html`<a href="${url}" style="display:inline-block;padding:12px 28px;border-radius:8px;background:#1f5f4a;color:#ffffff;font-weight:600;text-decoration:none">${label}</a>`;

/** Without line breaks, other controls, or marks that reverse the reading order: nothing can pose as another header or line. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
