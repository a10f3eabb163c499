import { addressOf, MailRefusedError, type SendEmail } from './mail-requests.ts';
import { isSimulator } from './mail-simulator.ts';

/** What the account of the mail service may do. */
export interface MailAccount {
  /** Mails in 24 hours, and in a second. */
  max24HourSend: number;
  maxSendRate: number;
  sendingPaused?: boolean;
  /** In the sandbox mails go from and to these addresses and domains alone, and to the mailbox simulator. */
  sandboxOf?: readonly string[] | undefined;
}

const dayMs = 24 * 3600_000;

/** Refuses what the account may not send, as SES does, and counts what it may. */
export function createMailAccount(account: MailAccount, now: () => number) {
  let sent: number[] = [];
  let counted: number[] = [];

  function checkVerified({ FromEmailAddress, Destination }: SendEmail): void {
    const { sandboxOf } = account;
    if (!sandboxOf) return;
    const isVerified = (address: string) =>
      sandboxOf.some((verified) => [address, address.split('@').at(-1)].includes(verified.toLowerCase()));
    const recipients = Destination.ToAddresses.filter((box) => !isSimulator(addressOf(box)));
    const failed = [FromEmailAddress, ...recipients].filter((box) => !isVerified(addressOf(box)));
    if (failed.length > 0) {
      const text = `Email address is not verified. The following identities failed the check in region US-EAST-1: ${failed.join(', ')}`;
      throw new MailRefusedError('MessageRejected', 400, text);
    }
  }

  return {
    /** Changes what the account may do from now on. */
    change(next: Partial<MailAccount>): void {
      Object.assign(account, next);
    },

    describe: () => ({
      ProductionAccessEnabled: account.sandboxOf === undefined,
      SendingEnabled: account.sendingPaused !== true,
      EnforcementStatus: 'HEALTHY',
      SendQuota: { Max24HourSend: account.max24HourSend, MaxSendRate: account.maxSendRate, SentLast24Hours: counted.length },
    }),

    /** @throws MailRefusal */
    admit(email: SendEmail): void {
      checkVerified(email);
      if (account.sendingPaused) throw new MailRefusedError('SendingPausedException', 400, 'Sending is paused for this account.');
      const at = now();
      sent = sent.filter((time) => time > at - 1000);
      counted = counted.filter((time) => time > at - dayMs);
      if (sent.length + 1 > Math.max(account.maxSendRate, 1))
        throw new MailRefusedError('TooManyRequestsException', 429, 'Maximum sending rate exceeded.');
      if (counted.length + 1 > account.max24HourSend)
        throw new MailRefusedError('TooManyRequestsException', 429, 'Daily message quota exceeded.');
      sent.push(at);
      if (!email.Destination.ToAddresses.every((box) => isSimulator(addressOf(box)))) counted.push(at);
    },
  };
}
