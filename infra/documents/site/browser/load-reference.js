/** The reference takes a phone seconds: it is loaded when somebody asks for it, by a link or in the address. */
const viewer = document.getElementById('viewer');
const [offer, loading, failed] = ['offer', 'loading', 'failed'].map((name) => document.querySelector(`[data-reference="${name}"]`));
const show = (...shown) => {
  for (const element of [offer, loading, failed]) element.hidden = !shown.includes(element);
};

let isAsked = false;

function loadIfAsked() {
  if (isAsked || location.hash !== '#reference') return;
  isAsked = true;
  show(loading);
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: viewer.dataset.style });
  const script = Object.assign(document.createElement('script'), { src: viewer.dataset.script });
  script.addEventListener('load', () => show());
  script.addEventListener('error', () => {
    for (const element of [style, script]) element.remove();
    isAsked = false;
    show(offer, failed);
  });
  // The page's own style has the last word.
  document.querySelector('link[rel="stylesheet"]').before(style);
  document.head.append(script);
}

// The guides share this script, and have no reference.
if (viewer) {
  show(offer);
  addEventListener('hashchange', loadIfAsked);
  // Where the address names it already, no address changes.
  offer.addEventListener('click', loadIfAsked);
  loadIfAsked();
}
