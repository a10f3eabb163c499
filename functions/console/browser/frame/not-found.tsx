import { texts } from './frame-texts.ts';
import { Screen } from './screen.tsx';

/** Where no screen has the address, or what it named is not there. */
export function NotFound() {
  return (
    <Screen title={texts.notFound}>
      <p>{texts.notFoundText}</p>
      <p>
        <a href={ROLE === 'admin' ? '/console/admin' : '/console'}>{texts.toStart}</a>
      </p>
    </Screen>
  );
}
