import { signInAddresses } from './addresses.ts';

/** Cognito knows no language of its users, so that both are in one mail. It is HTML, in which Cognito fills in what is in braces. */
interface PoolMail {
  emailSubject: string;
  emailBody: string;
}

const inBoth = (lines: readonly string[]) => lines.join('<br>');

/** For a new account, a new address and a forgotten password. */
export const verificationMail: PoolMail = {
  emailSubject: 'コンソールの確認コード / Your code for the console',
  emailBody: inBoth([
    'コンソールの確認コードです。お心当たりのない場合は、このメールを破棄してください。',
    'This is your code for the console. If you did not ask for it, ignore this mail.',
    '',
    '{####}',
  ]),
};

/** How long the password in an invitation is good. */
export const invitationDays = 3;

/** For whom the operator adds. */
export function invitationMail(publicBaseUrl: string): PoolMail {
  const [console = ''] = signInAddresses(publicBaseUrl).logouts;
  return {
    emailSubject: 'コンソールへの招待 / Your invitation to the console',
    emailBody: inBoth([
      `コンソールに招待されました。次のユーザー名と仮パスワードで、${invitationDays}日以内にサインインしてください。`,
      `You have been invited to the console. Sign in within ${invitationDays} days with this user name and temporary password:`,
      '',
      '{username}',
      '{####}',
      '',
      console,
    ]),
  };
}
