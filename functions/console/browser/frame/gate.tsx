import { session, signInAgain } from '../session/session.ts';
import { failureWords } from '../words/words.ts';
import { say } from './frame-texts.ts';
import { Placeholder } from './loaded.tsx';
import { Screen } from './screen.tsx';
import { useStore } from './use-store.ts';

/** What stands between who opened the page and the screens: nothing for who is signed in. */
export function Gate() {
  const state = useStore(session);
  if (state.name === 'starting') return <Placeholder />;
  if (state.name === 'over') return <Refusal code="unauthenticated" />;
  if (state.name === 'signed-out') {
    return (
      <Screen title={say.signedOut}>
        <p>{say.signedOutText}</p>
        <SignIn />
      </Screen>
    );
  }
  if (state.name === 'failed') {
    return (
      <Screen title={say.notSignedIn}>
        <Refusal code={state.code} />
      </Screen>
    );
  }
  return null;
}

function Refusal({ code }: { code: string }) {
  const { title, next } = failureWords(code);
  return (
    <div class="notice warn" role="alert" data-error={code}>
      <p>
        <strong>{title}</strong> {next}
      </p>
      <SignIn />
    </div>
  );
}

const SignIn = () => (
  <p>
    <button type="button" class="button" data-action="sign-in" onClick={signInAgain}>
      {say.signIn}
    </button>
  </p>
);
