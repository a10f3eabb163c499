import { signOut } from '../session/session.ts';
import { say } from './frame-texts.ts';
import { Screen } from './screen.tsx';

/** What somebody sees in the reviewers' console who is none: no loop of sign-ins, and two ways on. */
export function WrongRole() {
  return (
    <Screen title={say.notAdmin}>
      <div class="notice bad" role="alert" data-error="forbidden">
        <p>{say.notAdminText}</p>
        <p class="buttons">
          <a class="button" href="/console">
            {say.toSeller}
          </a>
          <button type="button" class="button quiet" data-action="sign-out" onClick={() => void signOut()}>
            {say.signOut}
          </button>
        </p>
      </div>
    </Screen>
  );
}
