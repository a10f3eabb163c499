import type { Locale } from '../../locale.ts';
import type { Operator } from '../../operator.ts';
import { type MailBlock, type RenderedMail, renderInEveryLanguage } from '../layout/mail-layout.ts';

/** An endpoint that is disabled because it took nothing for days. */
export interface EndpointNotice {
  endpointId: string;
  /** Where its events went: the host alone, since a path may hold a secret. */
  host: string;
  description?: string | undefined;
  disabledAt: Date;
}

interface Texts {
  subject: string;
  what: string;
  meaning: string;
  endpoint: string;
  host: string;
  description: string;
  disabledAt: string;
}

const texts: Record<Locale, Texts> = {
  ja: {
    subject: 'イベントの送信先を停止しました',
    what: '5日間、イベントの送信がすべて失敗したため、この送信先への送信を停止しました。',
    meaning: '送信先を修正してから、有効に戻してください。停止中のイベントは、発生から30日以内であれば再送（replay）で受け取れます。',
    endpoint: '送信先のID',
    host: 'ホスト',
    description: '説明',
    disabledAt: '停止日時',
  },
  en: {
    subject: 'Events are no longer sent to your endpoint',
    what: 'For five days nothing that was sent to this endpoint was accepted, so no more events are sent to it.',
    meaning:
      'Mend the endpoint, then enable it again. What happened meanwhile can be sent again with a replay, for 30 days from when it happened.',
    endpoint: 'Endpoint',
    host: 'Host',
    description: 'Description',
    disabledAt: 'Disabled at',
  },
};

/** The mail that tells a seller that nothing is sent to an endpoint any more: in every language, as sellers name none. */
export function renderEndpointNoticeMail({
  operator,
  notice,
  locale,
}: {
  operator: Operator;
  notice: EndpointNotice;
  /** The language that comes first. */
  locale: Locale;
}): RenderedMail {
  return renderInEveryLanguage({ locale, operator }, (language) => ({
    subject: texts[language].subject,
    blocks: blocksIn(language, notice),
  }));
}

function blocksIn(locale: Locale, { endpointId, host, description, disabledAt }: EndpointNotice): MailBlock[] {
  const noticeTexts = texts[locale];
  const described = description === undefined || description === '' ? [] : [[noticeTexts.description, description] as const];
  return [
    { text: noticeTexts.what },
    {
      facts: [
        [noticeTexts.endpoint, endpointId],
        [noticeTexts.host, host],
        ...described,
        [noticeTexts.disabledAt, disabledAt.toISOString()],
      ],
    },
    { text: noticeTexts.meaning },
  ];
}
