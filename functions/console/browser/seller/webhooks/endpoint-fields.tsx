import { Checks } from '../../forms/choices.tsx';
import { TextField } from '../../forms/fields.tsx';
import { wordOf } from '../../words/words.ts';
import { eventTypes } from './endpoint-values.ts';
import { say } from './webhooks-texts.ts';

/** The fields that an endpoint has when it is made, and later. */
export function EndpointFields() {
  return (
    <>
      <TextField name="url" type="url" label={say.url} hint={say.urlHint} most={2048} />
      <TextField name="description" label={say.description} optional most={200} />
      <Checks
        name="event_types"
        label={say.events}
        hint={say.eventsHint}
        optional
        options={eventTypes.map((type) => [type, wordOf('event', type)])}
      />
    </>
  );
}
