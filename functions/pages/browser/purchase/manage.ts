import { find, setHidden, whenParsed } from '../dom.ts';
import { startLinkForm } from './link-form.ts';
import { openSession, openWithLink } from './session.ts';

whenParsed(() => {
  startLinkForm((token) => {
    openSession(token);
    openWithLink(find('[data-paste]')?.dataset['paste'] ?? '', token);
  });
  setHidden('[data-paste]', false);
});
