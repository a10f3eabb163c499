import { type MailContext, type MailFact, type RenderedMail, renderInEveryLanguage } from '../layout/mail-layout.ts';

/** An endpoint that is disabled because it took nothing for days. */
export interface EndpointNotice {
  endpointId: string;
  /** Where its events went: the host alone, since a path may hold a secret. */
  host?: string | undefined;
  description?: string | undefined;
  disabledAt: Date;
}

const texts = {
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
export const renderEndpointNoticeMail = ({ notice, ...frame }: MailContext & { notice: EndpointNotice }): RenderedMail =>
  renderInEveryLanguage(frame, (language) => {
    const { subject, what, meaning, ...names } = texts[language];
    const { endpointId, host = '', description = '', disabledAt } = notice;
    const facts: MailFact[] = [
      [names.endpoint, endpointId],
      [names.host, host],
      [names.description, description],
      [names.disabledAt, disabledAt.toISOString()],
    ];
    return { subject, blocks: [{ text: what }, { facts: facts.filter(([, value]) => value !== '') }, { text: meaning }] };
  });
