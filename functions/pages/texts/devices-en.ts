/** What the completion page says in English about devices. */
export const devices = {
  title: 'Devices',
  loading: 'Loading the devices…',
  none: 'No device is using this license yet.',
  unnamed: (id: string) => `Unnamed device (${id})`,
  since: (date: string) => `In use since ${date}`,
  more: 'Show more',
  release: 'Release',
  releaseName: (device: string) => `Release ${device}`,
  ask: (device: string) => `Release ${device}?`,
  askText: 'Its place is free for another device at once. The app on it asks for the key again the next time it checks the license.',
  confirm: 'Yes, release it',
  cancel: 'Cancel',
  working: 'Releasing…',
  released: (device: string) => `${device} was released.`,
  movesLeft: (count: string) => `Devices you can still release here within 30 days: ${count}.`,
  noMoves: 'You cannot release any more devices here for now.',
  nextMove: (date: string) => `You can release one more from ${date}.`,
  neverMoves: 'Devices cannot be released on this page. Release the license in the app, or ask the seller.',
  notAllowed: 'The terms of this license do not allow devices to be released. Please ask the seller.',
  notFound: 'This device is no longer in the list.',
};

/** What it says about replacing a key. */
export const replaceKey = {
  title: 'Has someone else got your key?',
  text: 'If your key leaked, replace it with a new one. Please read this first:',
  warnings: [
    'The old key stops working at once, and cannot be brought back.',
    'Every device has to be activated again with the new key.',
    'You can do this once in 30 days.',
  ],
  start: 'Replace the key',
  ask: 'Replace the key now?',
  askText: 'The old key stops working on every device.',
  confirm: 'Yes, replace it',
  working: 'Replacing the key…',
  done: 'Your key was replaced. The old one no longer works; activate your devices with the new one.',
  notHere: 'Keys of this product cannot be replaced here. Please write to the seller’s support.',
  exhausted: 'The key was already replaced in the last 30 days. Please write to the seller’s support.',
  notUsable: 'Only the key of an active license can be replaced.',
};
