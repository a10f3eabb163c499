import { crc32, deflateSync } from 'node:zlib';

const width = 960;
const height = 600;

/** A picture of hills under the sky, as PNG. */
export function examplePicture(): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => colourAt(x, y)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function colourAt(x: number, y: number): [number, number, number] {
  const ridge = (base: number, size: number, length: number) =>
    base + size * Math.sin(x / length) + (size / 2) * Math.sin(x / (length / 3));
  if (y > ridge(470, 40, 190)) return [38, 92, 66];
  if (y > ridge(380, 55, 140)) return [96, 148, 112];
  if ((x - 700) ** 2 + (y - 150) ** 2 < 62 ** 2) return [255, 244, 214];
  const down = y / height;
  return [110 + Math.round(130 * down), 176 + Math.round(50 * down), 232];
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
