/** How a camera held the picture, as Exif counts it: 1 is upright, 5 to 8 lie on their side. */
export type Orientation = number;

const upright: Orientation = 1;
const orientationTag = 0x0112;

/** The orientation that Exif data tells; upright when it tells none. */
export function orientationOf(exif: Uint8Array): Orientation {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const order = view.getUint16(0);
    if (order !== 0x4949 && order !== 0x4d4d) return upright;
    const little = order === 0x4949;
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let index = 0; index < entries; index += 1) {
      const entry = directory + 2 + index * 12;
      if (view.getUint16(entry, little) === orientationTag) return validOrientation(view.getUint16(entry + 8, little));
    }
    return upright;
  } catch (error) {
    // Exif that ends early says nothing.
    if (error instanceof RangeError) return upright;
    throw error;
  }
}

const validOrientation = (orientation: number): Orientation => (orientation >= 1 && orientation <= 8 ? orientation : upright);

/** Pixels of four bytes, row by row. */
export interface Pixels {
  rgba: Uint8Array;
  width: number;
  height: number;
}

/** The picture as it was seen, turned and mirrored by its orientation. */
export function turnUpright({ rgba, width, height }: Pixels, orientation: Orientation): Pixels {
  if (orientation === upright) return { rgba, width, height };
  const onSide = orientation >= 5;
  const [toWidth, toHeight] = onSide ? [height, width] : [width, height];
  const [right, bottom] = [width - 1, height - 1];
  const from = new Uint32Array(rgba.slice().buffer);
  const to = new Uint32Array(from.length);
  const sourceOf = (x: number, y: number): readonly [number, number] => {
    switch (orientation) {
      case 2:
        return [right - x, y];
      case 3:
        return [right - x, bottom - y];
      case 4:
        return [x, bottom - y];
      case 5:
        return [y, x];
      case 6:
        return [y, bottom - x];
      case 7:
        return [right - y, bottom - x];
      default:
        return [right - y, x];
    }
  };
  for (let y = 0; y < toHeight; y += 1) {
    for (let x = 0; x < toWidth; x += 1) {
      const [fromX, fromY] = sourceOf(x, y);
      to[y * toWidth + x] = from[fromY * width + fromX] ?? 0;
    }
  }
  return { rgba: new Uint8Array(to.buffer), width: toWidth, height: toHeight };
}
