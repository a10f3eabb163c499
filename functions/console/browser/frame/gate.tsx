import { texts as partsTexts } from '../components/parts-texts.ts';
import { session, signInAgain, signOut } from '../session/session.ts';
import { useStore } from '../store/use-store.ts';
import { failureWords } from '../words/words.ts';
import { texts } from './frame-texts.ts';
import { Placeholder } from './loaded.tsx';
import { Screen } from './screen.tsx';

/** What stands in the place of the screens until somebody is signed in. */
export function Gate() {
  const state = useStore(session);
  switch (state.name) {
    case 'starting':
      return <Placeholder />;
    case 'signed-out':
      return (
        <Screen title={texts.signedOut} lead={texts.signedOutText}>
          <p>
            <SignIn />
          </p>
        </Screen>
      );
    case 'failed':
      return <Failed code={state.code} detail={state.detail} />;
    case 'signed-in':
    case 'over':
      return null;
  }
}

/** Why nobody could be signed in. Nothing begins again by itself. */
function Failed({ code, detail }: { code: string; detail: string | undefined }) {
  const { title, next } = failureWords(code);
  return (
    <Screen title={title}>
      <div class="notice warn" role="alert" data-error={code}>
        <p>{next ?? title}</p>
        {detail !== undefined && (
          <p>
            <code>{detail}</code>
          </p>
        )}
        <SignIn isRetry={!code.startsWith('sign_in_')} />
      </div>
    </Screen>
  );
}

/** Told below the screen of whose session is over, which stays as it was with all that they typed; in sight, and in nobody's way. */
export function SessionOver() {
  const { name } = useStore(session);
  if (name !== 'over') return null;
  const { title, next } = failureWords('unauthenticated');
  return (
    <div class="notice warn over" role="alert" data-error="unauthenticated">
      <p>
        <strong>{title}</strong> {next}
      </p>
      <SignIn />
    </div>
  );
}

const SignIn = ({ isRetry = false }: { isRetry?: boolean }) => (
  <button type="button" class="button" data-action={isRetry ? 'retry' : 'sign-in'} onClick={signInAgain}>
    {isRetry ? partsTexts.tryAgain : texts.signIn}
  </button>
);

/** What somebody sees in the reviewers' console who is none: no loop of sign-ins, and two ways on. */
export function WrongRole() {
  return (
    <Screen title={texts.notAdmin}>
      <div class="notice bad" role="alert" data-error="forbidden">
        <p>{texts.notAdminText}</p>
        <p class="buttons">
          <a class="button" href="/console">
            {texts.toSeller}
          </a>
          <button type="button" class="button quiet" data-action="sign-out" onClick={() => void signOut()}>
            {texts.signOut}
          </button>
        </p>
      </div>
    </Screen>
  );
}
