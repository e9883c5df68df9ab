import { type Corner, type Corners, mapCorners, rotateAround } from '#shared/domain/detection';
import type { Random } from '../video/random';
import { addLight, addMoire, defocus, drawSheet, drawTable } from './desk-objects';
import { drawText, type LabelledText, type TextImage } from './draw-text';
import { squareToCorners } from '#shared/engine/pixels/homography';
import { addNoise, FONTS } from './text-content';
import { aroundCylinder, putOnScene } from './warp-text';

const SIZE = { width: 2400, height: 1800 } as const;
const NOISE = 7;
const HAND = ['Caveat', 'Z003'];

/** Wood, and a wall behind it. */
const BACKGROUND = `<defs><filter id="wood" x="0" y="0" width="1" height="1">
<feTurbulence type="fractalNoise" baseFrequency="0.002 0.06" numOctaves="4" seed="3"/>
<feColorMatrix values="0.35 0 0 0 0.36  0.28 0 0 0 0.24  0.2 0 0 0 0.14  0 0 0 0 1"/></filter></defs>
<rect width="2400" height="1800" filter="url(#wood)"/><rect width="2400" height="330" fill="#b9bcb4"/>`;

/** The desk's surface of 3000 × 2000 units in the image: its far edge is narrower. */
const DESK: Corners = [
  [330, 330],
  [2070, 330],
  [2900, 1900],
  [-500, 1900],
];
const DESK_UNITS = { width: 3000, height: 2000 } as const;
const onDesk = squareToCorners(DESK);

/** A sheet on the desk, by its centre, size and angle. */
const lying = (
  x: number,
  y: number,
  [width, height]: readonly [number, number],
  degrees: number,
): Corners => {
  const [left, top, right, bottom] = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const level: Corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return mapCorners(level, (corner) => {
    const [across, down] = rotateAround(corner, [x, y], (degrees * Math.PI) / 180);
    return onDesk([across / DESK_UNITS.width, down / DESK_UNITS.height]);
  });
};

const between = ([ax, ay]: Corner, [bx, by]: Corner): number => Math.hypot(bx - ax, by - ay);

/** Width of a place in the image, in px: its upper and lower edge count. */
const widthOf = ([a, b, c, d]: Corners): number => Math.round((between(a, b) + between(d, c)) / 2);

/** A thing on the desk: its place, and its drawing at this width in px. */
interface Thing {
  readonly name: string;
  readonly corners: Corners;
  readonly draw: (random: Random, widthPx: number) => Promise<LabelledText>;
  readonly isRound?: boolean;
}

const paper =
  (sizesPx: readonly number[], text = '#1b1b1f', ground = '#f3f1ea', fonts: readonly string[] = FONTS) =>
  (random: Random, width: number): Promise<LabelledText> =>
    drawSheet(random, { width, height: Math.round(1.41 * width), text, ground, fonts, sizesPx });

const note =
  (ground: string, sizePx: number) =>
  (random: Random, width: number): Promise<LabelledText> =>
    drawSheet(random, {
      width,
      height: width,
      text: '#2b2b58',
      ground,
      fonts: HAND,
      sizesPx: [sizePx],
      pitch: 1.5,
    });

const screen =
  (share: number, sizesPx: readonly number[], text: string, ground: string) =>
  (random: Random, width: number): Promise<LabelledText> =>
    drawSheet(random, { width, height: Math.round(share * width), text, ground, sizesPx });

const THINGS: readonly Thing[] = [
  {
    name: 'poster',
    corners: [
      [60, 20],
      [420, 34],
      [416, 300],
      [64, 306],
    ],
    draw: screen(0.75, [44, 30, 22], '#f0e9d8', '#7a2f2f'),
  },
  {
    name: 'poster out of focus',
    corners: [
      [2080, 20],
      [2360, 10],
      [2364, 310],
      [2084, 300],
    ],
    draw: async (random, width) =>
      defocus(await screen(1, [34, 26, 20], '#202020', '#dcd8cc')(random, width), 2.2),
  },
  {
    name: 'monitor',
    corners: [
      [560, 60],
      [1180, 120],
      [1190, 520],
      [575, 540],
    ],
    draw: async (random, width) =>
      addMoire(await screen(0.62, [18, 14, 12], '#22262c', '#eef1f5')(random, width)),
  },
  {
    name: 'monitor, table',
    corners: [
      [1250, 110],
      [1960, 40],
      [1950, 470],
      [1255, 470],
    ],
    draw: async (random, width) => addMoire(await drawTable(random, width, Math.round(0.6 * width), 13)),
  },
  {
    name: 'laptop',
    corners: [
      [880, 640],
      [1500, 640],
      [1530, 1010],
      [850, 1010],
    ],
    draw: screen(0.62, [14, 12, 11, 10], '#d7dae0', '#1d2026'),
  },
  { name: 'invoice', corners: lying(760, 1330, [620, 860], -6), draw: paper([34, 22, 17, 15]) },
  {
    name: 'letter upside down',
    corners: lying(2430, 1180, [560, 780], 172),
    draw: paper([26, 18, 16], '#26262a', '#e9e6db'),
  },
  { name: 'contract, turned', corners: lying(1550, 1590, [560, 780], 34), draw: paper([24, 16, 15]) },
  {
    name: 'receipt, low contrast',
    corners: lying(2160, 1650, [230, 560], -18),
    draw: paper([18, 14], '#a2a09a', '#dedbd2', ['DejaVu Sans Mono']),
  },
  {
    name: 'page out of focus',
    corners: lying(250, 560, [420, 560], 10),
    draw: async (random, width) => defocus(await paper([20, 16])(random, width), 1.8),
  },
  { name: 'yellow note', corners: lying(350, 1070, [250, 250], -14), draw: note('#f5e36b', 30) },
  { name: 'pink note', corners: lying(1180, 1010, [220, 220], 21), draw: note('#f2a6bd', 24) },
  {
    name: 'phone',
    corners: lying(2770, 1600, [190, 370], 12),
    draw: async (random, width) => screen(1.9, [16, 13, 12], '#dfe6ee', '#10161d')(random, width),
  },
  {
    name: 'name tag',
    corners: lying(2560, 640, [300, 190], 7),
    draw: screen(0.62, [22, 34, 18], '#16306b', '#fafafa'),
  },
  {
    name: 'book, spine',
    corners: lying(640, 1890, [560, 95], -4),
    draw: screen(0.18, [34], '#e9d9a8', '#23443a'),
  },
  {
    name: 'mug',
    corners: [
      [1620, 720],
      [1840, 720],
      [1826, 960],
      [1634, 960],
    ],
    draw: screen(1.1, [30, 24, 20], '#1f2d4d', '#e8e4dc'),
    isRound: true,
  },
];

const drawDesk = async (random: Random): Promise<TextImage> => {
  let scene: LabelledText = await drawText({ ...SIZE, background: BACKGROUND, lines: [] });
  for (const { corners, draw, isRound = false } of THINGS) {
    const drawn = await draw(random, widthOf(corners));
    scene = putOnScene(scene, drawn, corners, isRound ? aroundCylinder : undefined);
  }
  return { lines: scene.lines, raster: addNoise(addLight(scene.raster), random, NOISE), group: 'desk' };
};

const DESKS = 3;

/** Desks with screens and papers, each with other texts and fonts. */
export async function* drawDesks(random: Random): AsyncGenerator<TextImage> {
  for (let i = 0; i < DESKS; i++) yield await drawDesk(random);
}
