import { type Html, html } from '../../../shared/html.ts';
import type { AlarmView } from '../monitoring/monitoring.ts';
import { moment, table } from './local-page.ts';

/** The alarms that are raised, each with its text; of the others how many they are. */
export function alarmTable(alarms: readonly AlarmView[]): Html {
  const raised = alarms.filter(({ state }) => state === 'ALARM');
  const quiet = html`<p class="note">${alarms.length - raised.length} of ${alarms.length} alarms are quiet.</p>`;
  if (raised.length === 0) return quiet;
  const rows = raised.map(({ name, text, reason, since }) => [name, text, reason, moment(since)]);
  return html`${table('Alarms', ['Alarm', 'What is lost', 'Why', 'Since'], rows)}${quiet}`;
}
