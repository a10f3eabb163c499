import { useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { hasDrafts } from '../forms/drafts.ts';
import { signOut } from '../session/session.ts';
import { texts } from './frame-texts.ts';

/** Signs out; asks first while something that was typed would be lost. */
export function SignOut() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="text-button" data-action="sign-out" onClick={() => (hasDrafts() ? setAsking(true) : void signOut())}>
        {texts.signOut}
      </button>
      <Dialog title={texts.signOut} open={asking} onClose={() => setAsking(false)}>
        <p>{texts.signOutDrafts}</p>
        <p class="buttons">
          <button type="button" class="button danger" data-action="sign-out" onClick={() => void signOut()}>
            {texts.signOut}
          </button>
          <button type="button" class="button quiet" onClick={() => setAsking(false)}>
            {texts.cancel}
          </button>
        </p>
      </Dialog>
    </>
  );
}
