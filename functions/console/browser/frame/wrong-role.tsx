import { signOut } from '../session/session.ts';
import { texts } from './frame-texts.ts';
import { Screen } from './screen.tsx';

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
