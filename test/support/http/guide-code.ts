/** A block of code on a page of the guides, as who copies it gets it. */
export interface Snippet {
  caption: string;
  code: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
const plain = (markup: string) => markup.replaceAll(/&(lt|gt|quot|#39|amp);/g, (whole, name) => entities[name] ?? whole);

/** All blocks of code in the markup, in their order. */
export const snippetsIn = (markup: string): Snippet[] =>
  [...markup.matchAll(/<figcaption>(.*?)<\/figcaption><pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)].map(
    ([, caption = '', code = '']) => ({ caption: plain(caption), code: plain(code) }),
  );

/** What a product's id is in the guides. */
const shownProduct = 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK';

/** Takes code out of a page that a stack serves, by its caption, with the id of one's own product filled in. */
export async function openGuide(address: string, productId = shownProduct): Promise<(caption: string) => string> {
  const snippets = snippetsIn(await (await fetch(address)).text());
  return (caption) => {
    const [found, ...others] = snippets.filter((snippet) => snippet.caption === caption);
    if (!found || others.length > 0) throw new Error(`${address} has ${found ? 'several' : 'no'} “${caption}”.`);
    return found.code.replaceAll(shownProduct, productId);
  };
}
