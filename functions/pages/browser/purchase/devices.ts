import { type Device, type Devices, type Failure, freeDevice, listDevices } from '../api.ts';
import { copyOf, fill, fillPattern, find, inPattern, setHidden, whenParsed } from '../dom.ts';
import { showOutcome, showReplyOutcome } from '../outcome.ts';
import type { Purchase } from './purchase.ts';
import { startQuestion } from './question.ts';
import { dayInWords } from './words.ts';

interface Options {
  token: () => string;
  onFailure: (failure: Failure) => void;
  onCount: (count: number) => void;
}

/** How far the list is. */
interface DeviceList extends Options {
  nextCursor: string | undefined;
  /** Which loading is the current one; replies to an older one are dropped. */
  loading: number;
}

/** The list of the devices that have a seat; `show` brings it up to date with a license, or hides it. */
export function startDevices(options: Options): { show: (license: Purchase['license']) => void } {
  const list: DeviceList = { ...options, nextCursor: undefined, loading: 0 };
  whenParsed(() => {
    find('[data-more] button')?.addEventListener('click', () => loadAnew(list, list.nextCursor));
    find('[data-retry] button')?.addEventListener('click', () => loadAnew(list, undefined));
  });
  return {
    show(license) {
      showOutcome(listOutcome(), '');
      list.loading += 1;
      if (!license) return;
      const { activation_count, activation_limit } = license;
      if (activation_count > 0) return void load(list, undefined);
      find('[data-list]')?.replaceChildren();
      showRest(list, { activation_count, activation_limit, devices: [], moves_left: 0 });
      setHidden('[data-loading]', true);
      setHidden('[data-retry]', true);
    },
  };
}

const listOutcome = () => find('[data-list-outcome]') ?? document;

function loadAnew(list: DeviceList, cursor: string | undefined): void {
  showOutcome(listOutcome(), '');
  void load(list, cursor);
}

async function load(list: DeviceList, cursor: string | undefined): Promise<void> {
  if (!find('[data-devices]')) return;
  list.loading += 1;
  const mine = list.loading;
  setHidden('[data-loading]', false);
  const outcome = await listDevices(list.token(), cursor);
  if (mine !== list.loading) return;
  setHidden('[data-loading]', true);
  setHidden('[data-retry]', outcome.ok);
  if (!outcome.ok) {
    showReplyOutcome(listOutcome(), outcome, '');
    return list.onFailure(outcome);
  }
  if (cursor !== undefined) addRows(list, outcome.body.devices)[0]?.querySelector<HTMLElement>('[data-open]')?.focus();
  else replaceRows(list, outcome.body);
  showRest(list, outcome.body);
}

function replaceRows(list: DeviceList, { devices, activation_count }: Devices): void {
  find('[data-list]')?.replaceChildren();
  addRows(list, devices);
  list.onCount(activation_count);
}

function addRows(list: DeviceList, devices: readonly Device[]): HTMLElement[] {
  const rows = devices.map((device) => rowOf(list, device));
  find('[data-list]')?.append(...rows);
  return rows;
}

function showRest(list: DeviceList, { activation_count, moves_left, moves_reset_at, next_cursor }: Devices): void {
  list.nextCursor = next_cursor;
  setHidden('[data-more]', next_cursor === undefined);
  setHidden('[data-none]', activation_count > 0);
  fillPattern('moves', { count: String(moves_left) });
  fillPattern('next-move', moves_reset_at ? { date: dayInWords(moves_reset_at) } : undefined);
  const never = moves_left === 0 && moves_reset_at === undefined;
  const told = { some: moves_left > 0, none: moves_left === 0 && !never, next: moves_reset_at !== undefined, never };
  for (const [name, holds] of Object.entries(told)) setHidden(`[data-moves="${name}"]`, !holds || activation_count === 0);
  setHidden('[data-list] [data-open]', moves_left === 0);
}

function rowOf(list: DeviceList, device: Device): HTMLElement {
  const row = copyOf('[data-device]');
  const unnamed = find('[data-unnamed]', row)?.dataset['unnamed'];
  const name = device.device_label?.trim() || inPattern(unnamed, { id: device.activation_id.slice(-6) });
  fill('device-name', name, row);
  fillPattern('device-since', { date: dayInWords(device.activated_at) }, row);
  fillPattern('ask', { device: name }, row);
  const opener = find('[data-open]', row);
  opener?.setAttribute('aria-label', inPattern(opener.dataset['namePattern'], { device: name }));
  const ask = find('[data-question] > [tabindex]', row);
  if (ask) ask.id = `ask-${device.activation_id}`;
  find('[data-question]', row)?.setAttribute('aria-labelledby', `ask-${device.activation_id}`);
  startQuestion(
    row,
    () => release(list, device, row),
    () => showFreed(list, name, row),
  );
  return row;
}

async function release({ token: tokenOf, onCount, onFailure }: DeviceList, device: Device, row: HTMLElement): Promise<true | undefined> {
  showOutcome(row, '');
  const token = tokenOf();
  const outcome = await freeDevice(token, device.activation_id);
  if (token !== tokenOf()) return undefined;
  if (outcome.ok) {
    onCount(outcome.body.activation_count);
    return true;
  }
  showReplyOutcome(row, outcome, '');
  onFailure(outcome);
  return undefined;
}

/** Another tab may have released more: the list is asked for anew. */
function showFreed(list: DeviceList, name: string, row: HTMLElement): void {
  row.remove();
  fillPattern('released', { device: name });
  showOutcome(listOutcome(), 'released');
  find('#devices')?.focus();
  void load(list, undefined);
}
