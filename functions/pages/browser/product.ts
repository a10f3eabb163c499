import { find, showBusy, whenParsed } from './dom.ts';
import { rememberProduct } from './purchase/session.ts';

/** Announces that the payment page is loading, and ignores a second press of the button. */
function startCheckoutForm(): void {
  const form = find<HTMLFormElement>('[data-checkout]');
  if (!form) return;
  let leaving = false;
  form.addEventListener('submit', (event) => {
    if (leaving) event.preventDefault();
    leaving = true;
    rememberProduct(location.pathname.replace(/\/checkout$/, ''));
    showBusy(form, true);
  });
  // Back from the payment page: the browser may show the page as it was left.
  addEventListener('pageshow', () => {
    leaving = false;
    showBusy(form, false);
  });
}

whenParsed(startCheckoutForm);
