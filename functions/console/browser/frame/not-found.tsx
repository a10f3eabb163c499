import { say } from './frame-texts.ts';
import { Screen } from './screen.tsx';

/** Where no screen has the address, or what it named is not there. */
export function NotFound() {
  return (
    <Screen title={say.notFound}>
      <p>{say.notFoundText}</p>
      <p>
        <a href={ROLE === 'admin' ? '/console/admin' : '/console'}>{say.toStart}</a>
      </p>
    </Screen>
  );
}
