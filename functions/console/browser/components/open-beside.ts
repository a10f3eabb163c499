/**
 * Opens a tab for an address that is not known yet. To be called by the press itself: later, browsers would think that
 * nobody asked for it. Where they think so all the same, nothing opens, and a link must do.
 */
export function openTab(): { lead: (address: string | undefined) => void } {
  const tab = window.open('', '_blank');
  // What it will show has no way back to this tab.
  if (tab) tab.opener = null;
  return {
    lead(address) {
      if (address === undefined) tab?.close();
      else tab?.location.replace(address);
    },
  };
}
