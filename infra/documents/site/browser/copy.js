const texts = {
  en: { copy: 'Copy', copied: 'Copied', refused: 'The browser does not allow it. Please select the text and copy it.' },
  ja: {
    copy: 'コピー',
    copied: 'コピーしました',
    refused: 'ブラウザーに許可されていません。テキストを選択してコピーしてください。',
  },
};
const say = texts[document.documentElement.lang];

/** Gives each block of code a button that copies it. Browsers have no clipboard on plain http: then there are no buttons. */
if (navigator.clipboard) {
  const announcement = document.createElement('p');
  announcement.className = 'unseen';
  announcement.setAttribute('role', 'status');
  document.body.append(announcement);
  for (const block of document.querySelectorAll('figure.code')) addButton(block, announcement);
}

function addButton(block, announcement) {
  const caption = block.querySelector('figcaption');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = say.copy;
  button.setAttribute('aria-label', `${say.copy}: ${caption.textContent}`);
  button.addEventListener('click', async () => {
    // The same words twice would not be read out twice.
    announcement.textContent = '';
    announcement.textContent = await copy(block.querySelector('code').textContent);
  });
  caption.after(button);
}

const copy = (text) =>
  navigator.clipboard.writeText(text).then(
    () => say.copied,
    () => say.refused,
  );
