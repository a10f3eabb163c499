import type { Mutant } from '../../mutant.ts';

const upload = ['test/integration/product-files/pictures.test.ts'];
const served = ['test/endpoints/products/pictures.test.ts'];
const page = ['test/endpoints/products/product-page.test.ts'];
const labels = ['test/endpoints/products/feature-labels.test.ts'];

const header = 'shared/pictures/read-header.ts';
const orientation = 'shared/pictures/orientation.ts';
const shown = 'shared/product-files/shown-files.ts';
const record = 'shared/product-files/product-file.ts';
const service = 'shared/product-files/product-file-service.ts';
const states = 'shared/product-files/file-states.ts';
const thread = 'functions/file-hasher/picture-thread.ts';
const productView = 'functions/pages/views/product-view.ts';
const featureLabels = 'shared/products/feature-labels.ts';

/** Mistakes in one file, that the same tests notice. */
const planted = (file: string, tests: readonly string[], mistakes: readonly [fault: string, code: string, mutant: string][]): Mutant[] =>
  mistakes.map(([fault, code, mutant]) => ({ fault, file, code, mutant, tests }));

export const pictures: readonly Mutant[] = [
  ...planted(header, upload, [
    ['a picture of 21 megapixels is decoded', 'width * height > maxPicturePixels', 'width * height > 2 * maxPicturePixels'],
    ['a picture of exactly 20 megapixels is refused', 'width * height > maxPicturePixels', 'width * height >= maxPicturePixels'],
    ['only wide pictures are measured', 'width * height > maxPicturePixels', 'width > maxPicturePixels'],
    ['an animated PNG is taken', "new Set(['acTL', 'fcTL', 'fdAT'])", "new Set(['fdAT'])"],
    ['an animated WebP is taken by its flag', '(data.getUint8(0) & animationFlag) !== 0', 'data.getUint8(0) === animationFlag + 1'],
    ['frames of an animated WebP are taken', "name === 'ANIM' || name === 'ANMF'", "name === 'ANIM'"],
    ['a JPEG without pixels is taken', '!frame || scans === 0 || scans > maxScans', '!frame || scans > maxScans'],
    ['scans are not counted', '!frame || scans === 0 || scans > maxScans', '!frame || scans === 0'],
    ['the second frame of a JPEG counts', 'if (frame || !frameMarkers.has(marker)) throw', 'if (!frameMarkers.has(marker)) throw'],
    ['the canvas of a WebP need not be its frame', 'canvas.width !== frame.width || ', ''],
    ['a picture without height is decoded', 'width === 0 || height === 0', 'width === 0'],
    ['a picture that ends early is our failure', 'if (error instanceof RangeError) throw unreadable();', ''],
    [
      'Exif in WebP is not read without its name',
      'exifIn(part(view, offset + 8, length)) ?? part(view, offset + 8, length)',
      'exifIn(part(view, offset + 8, length))',
    ],
  ]),
  ...planted(orientation, upload, [
    ['Exif of the other byte order is misread', 'const little = order === 0x4949;', 'const little = true;'],
    ['an unknown orientation turns the picture', 'orientation >= 1 && orientation <= 8 ? orientation : upright', 'orientation'],
    ['a picture on its side is turned the wrong way', 'return [y, bottom - x];', 'return [right - y, x];'],
  ]),
  ...planted('functions/file-hasher/encode-picture.ts', upload, [
    ['the declared type does not matter', 'header.type !== declaredType', 'header.type === undefined'],
    [
      'a file that cannot be decoded is our failure',
      "throw new PictureFault('picture_unreadable')",
      "throw new Error('picture_unreadable')",
    ],
  ]),
  ...planted(thread, upload, [
    ['pictures are served in full size', 'Math.min(1, longest / Math.max(width, height))', 'Math.min(1, longest)'],
    ['pictures of 10 MiB are served', 'const maxBytes = 1024 * 1024;', 'const maxBytes = 10 * 1024 * 1024;'],
    ['what is transparent becomes black', "if (!opaque) return ['image/png'];", ''],
    ['a flat picture has no height', 'Math.max(1, Math.round(height * scale))', 'Math.round(height * scale)'],
  ]),
  ...planted('functions/file-hasher/hash-file.ts', upload, [
    ['what is no picture waits for review', 'hashError: error.code, rejectedReason: error.message', 'hashError: error.code'],
    ['the bytes of what is no picture are kept', '        ...discards.discardDead(read, next),\n', ''],
    ['the upload is described in the place of what is served', "update(pixels).digest('hex')", "update(bytes).digest('hex')"],
  ]),
  ...planted('functions/file-hasher/discard-upload.ts', upload, [
    ['what was served of a picture is kept for good', "if (file.purpose === 'image') await", "if (file.purpose !== 'image') await"],
  ]),
  ...planted(states, upload, [
    ['a withdrawn file is rejected', "rejectedReason === undefined || file.status !== 'pending_review'", 'rejectedReason === undefined'],
  ]),
  ...planted(service, upload, [
    ['a picture may have any type', "purpose !== 'image' || isPictureType(type)", 'purpose.length > 0 || isPictureType(type)'],
    [
      'a picture may be as large as a download',
      "request.purpose === 'image' ? Math.min(maxPictureBytes, maxFileBytes) : maxFileBytes",
      'maxFileBytes',
    ],
    [
      'downloads are as small as pictures',
      "request.purpose === 'image' ? Math.min(maxPictureBytes, maxFileBytes) : maxFileBytes",
      'Math.min(maxPictureBytes, maxFileBytes)',
    ],
    ['a picture of exactly 2 MiB is refused', 'request.sizeBytes > maxSizeBytes', 'request.sizeBytes >= maxSizeBytes'],
  ]),
  ...planted('shared/pictures/picture.ts', upload, [['a picture of 2 MB is the largest', '2 * 1024 * 1024', '2_000_000']]),
  ...planted(record, served, [
    ['pictures are downloads', "isOffered(file) && file.purpose === 'download'", 'isOffered(file)'],
    ['a picture that was taken down is shown', "isOffered(file) && file.purpose === 'image'", "isStored(file) && file.purpose === 'image'"],
  ]),
  ...planted(shown, served, [
    ['any name leads to a picture', ' || pictureNameOf(file.picture) !== name', ''],
    ['pictures of what is not public are served', '!found || !isPublic(found.product, found.seller)', '!found'],
    ['a page shows every picture', '.slice(0, maxShownPictures)', ''],
    ['a page shows the newest pictures', '.slice(0, maxShownPictures)', '.slice(-maxShownPictures)'],
    ['a picture that was not approved is served', '!isShownPicture(file) ||', 'file.picture === undefined ||'],
  ]),
  ...planted('functions/pictures/compose.ts', served, [
    ['a picture may be a page', "default-src 'none'; sandbox; ", ''],
    ['no shop may show pictures', "'Cross-Origin-Resource-Policy': 'cross-origin',\n", ''],
  ]),
  ...planted('functions/pictures/get-picture.ts', served, [
    ['every picture is called PNG', "'Content-Type': contentType, ", ''],
    ['pictures are fetched again and again', 'max-age=31536000, immutable', 'max-age=60'],
  ]),
  ...planted('functions/storefront/compose.ts', served, [['the public gets addresses without origin', 'settings.PUBLIC_BASE_URL}', "''}"]]),
  ...planted(productView, page, [
    ['every picture waits', 'index > 0 && html` loading="lazy"`', 'index >= 0 && html` loading="lazy"`'],
    ['a seller’s site may be a script', "url?.protocol !== 'https:' && url?.protocol !== 'http:'", 'url === null'],
    ['the service vouches for sellers’ sites', 'rel="nofollow noopener"', 'rel="noopener"'],
    ['a free product promises its key after payment', 'free ? say.keyAtOnceFree : say.keyAtOnce', 'say.keyAtOnce'],
    ['a free product speaks of paying on the next page', 'free ? say.nextPageFree : say.nextPage', 'say.nextPage'],
    ['identifiers look like words', 'if (isIdentifier) return', 'if (text === "") return'],
  ]),
  ...planted('functions/pages/views/layout.ts', page, [
    ['every language is canonical to none', 'hrefFor(reader, path)}`', 'path}`'],
    ['previews with a picture are small', "image ? 'summary_large_image' : 'summary'", "'summary'"],
  ]),
  ...planted('functions/pages/views/checkout-view.ts', page, [
    ['a free order has a step to pay', "free ? ['confirm', 'key'] : undefined", 'undefined'],
  ]),
  ...planted('functions/pages/views/terms.ts', page, [
    [
      'a free order says when it is charged',
      'product.priceAmount === 0 ? say.terms.leaveAnyTimeFree',
      'product.priceAmount < 0 ? say.terms.leaveAnyTimeFree',
    ],
  ]),
  ...planted('shared/text/money.ts', page, [
    ['a currency is named twice', "code === 'JPY' || formatted.includes(code)", "code === 'JPY'"],
    ['no currency is named', "? '' : code;", "? '' : '';"],
  ]),
  ...planted('functions/pages/views/platform.ts', page, [
    ['the case of an ending matters', '.exec(fileName.toLowerCase())', '.exec(fileName)'],
  ]),
  ...planted('shared/text/text-language.ts', page, [
    ['Chinese is read as Japanese', 'han.test(text) && others.some((other) => japaneseOnly.test(other))', 'han.test(text)'],
    ['short Japanese names have no language', "han.test(text) && others.some((other) => japaneseOnly.test(other)) ? 'ja' : ''", "''"],
  ]),
  ...planted(featureLabels, labels, [
    ['any feature may have a label', 'given && Object.keys(given).some((feature) => !features.has(feature))', 'given && features.size < 0'],
    ['labels of features that are gone stay', '.filter(([feature]) => features.has(feature));', ';'],
    ['no labels are another state than none', 'kept.length === 0 ? undefined : Object.fromEntries(kept)', 'Object.fromEntries(kept)'],
    [
      'labels are compared with the features from before',
      'new Set(request.features ?? product.features)',
      'new Set(product.features ?? request.features)',
    ],
    ['labels may be in any language', '.strictObject({ ja: label', '.object({ ja: label'],
    ['a label may be in no language', 'locales.some((locale) => labels[locale] !== undefined)', 'locales.length > 0'],
  ]),
  ...planted(featureLabels, page, [
    ['labels are in one language for everybody', 'const languages = [locale, ...locales];', 'const languages = [...locales];'],
    ['a feature without a label in the language is left out', 'const languages = [locale, ...locales];', 'const languages = [locale];'],
    ['identifiers stand beside labels', 'isIdentifier && labels.size > 0 ? []', 'isIdentifier && labels.size < 0 ? []'],
  ]),
  ...planted('shared/wire.ts', labels, [
    ['identifiers of features are renamed', 'namedByClients.has(name) ? field : renameKeys(field, rename)', 'renameKeys(field, rename)'],
  ]),
];
