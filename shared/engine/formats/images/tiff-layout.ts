import { corruptHeader, UnreadableFile } from '../../../domain/failure';
import { type TiffDirectory, type TiffNumbers, bytesOf, numberOf, numbersOf } from './tiff-fields';
import { readGrid, readSegments, type TiffGrid, type TiffSegments } from './tiff-segments';

const FORMAT = 'TIFF';
const TAGS = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  samplesPerPixel: 277,
  planarConfiguration: 284,
  predictor: 317,
  colorMap: 320,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  profile: 34_675,
} as const;

export const TIFF_COMPRESSION = {
  none: 1,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
} as const;
/** What the samples of a pixel are. */
export const TIFF_PHOTOMETRIC = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  yCbCr: 6,
} as const;

const COMPRESSIONS: readonly number[] = Object.values(TIFF_COMPRESSION);
const CMYK_INKS = 1;
const UNSIGNED = 1;
const HORIZONTAL_PREDICTOR = 2;
/** Strips that are JPEG files of their own consist of whole blocks. */
const MIN_JPEG_STRIP_ROWS = 8;
/** Quantisation and Huffman tables take about 2 kB; they are copied for each segment. */
const MAX_JPEG_TABLES_BYTES = 2 ** 16;
/** Colour samples of a pixel, and the bits that each of them may have. */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly bits: readonly number[] }>> = {
  [TIFF_PHOTOMETRIC.whiteIsZero]: { samples: 1, bits: [1, 2, 4, 8, 16] },
  [TIFF_PHOTOMETRIC.blackIsZero]: { samples: 1, bits: [1, 2, 4, 8, 16] },
  [TIFF_PHOTOMETRIC.rgb]: { samples: 3, bits: [8, 16] },
  [TIFF_PHOTOMETRIC.palette]: { samples: 1, bits: [1, 2, 4, 8] },
  [TIFF_PHOTOMETRIC.cmyk]: { samples: 4, bits: [8, 16] },
  [TIFF_PHOTOMETRIC.yCbCr]: { samples: 3, bits: [8] },
};

/** Kinds of a sample next to the colour ones. */
export const EXTRA_SAMPLE = { associatedAlpha: 1, unassociatedAlpha: 2 } as const;

/** How the pixels of a TIFF page are stored. */
export interface TiffLayout extends TiffGrid {
  readonly width: number;
  readonly height: number;
  readonly compression: number;
  readonly photometric: number;
  readonly bitsPerSample: number;
  /** Colour samples and extra ones. */
  readonly samplesPerPixel: number;
  readonly colourSamples: number;
  /** Whether each sample has segments of its own. */
  readonly isPlanar: boolean;
  readonly isDifferenced: boolean;
  /** Row by row; where planar, all of the first sample first. */
  readonly segments: TiffSegments;
  /** 16-bit levels: all red, then all green, then all blue ones. */
  readonly colorMap: readonly number[] | undefined;
  /** A value of `EXTRA_SAMPLE`; undefined where no sample is transparency. */
  readonly alpha: number | undefined;
  readonly jpegTables: Uint8Array | undefined;
  readonly profile: Uint8Array | undefined;
}

const unsupported = (): UnreadableFile =>
  new UnreadableFile(
    'This TIFF file is coded in a way that is not supported; grey, colour and CMYK files of 8 or 16 bits, uncompressed or compressed by LZW, Deflate, PackBits or JPEG, are supported.',
  );

type Samples = Pick<
  TiffLayout,
  'compression' | 'photometric' | 'bitsPerSample' | 'samplesPerPixel' | 'colourSamples' | 'alpha'
>;

/** Only the first extra sample can be transparency: others are masks of an editor. */
const alphaOf = (extra: number | undefined): number | undefined => {
  const kinds: readonly number[] = Object.values(EXTRA_SAMPLE);
  return extra !== undefined && kinds.includes(extra) ? extra : undefined;
};

const areAll = (numbers: TiffNumbers | undefined, wanted: number): boolean => {
  for (let index = 0; index < (numbers?.length ?? 0); index += 1) {
    if (numbers?.at(index) !== wanted) return false;
  }
  return true;
};

const fitsJpeg = ({ photometric, bitsPerSample, samplesPerPixel, colourSamples }: Samples): boolean =>
  bitsPerSample === 8 &&
  samplesPerPixel === colourSamples &&
  (photometric === TIFF_PHOTOMETRIC.blackIsZero ||
    photometric === TIFF_PHOTOMETRIC.rgb ||
    photometric === TIFF_PHOTOMETRIC.yCbCr);

/** More extra samples than these are no image of a camera or scanner. */
const MAX_EXTRA_SAMPLES = 4;

const isSupported = (samples: Samples): boolean => {
  const { compression, photometric, bitsPerSample, samplesPerPixel, colourSamples } = samples;
  const extraSamples = samplesPerPixel - colourSamples;
  return (
    COMPRESSIONS.includes(compression) &&
    COLOURS[photometric]?.bits.includes(bitsPerSample) === true &&
    (bitsPerSample >= 8 || samplesPerPixel === 1) &&
    extraSamples >= 0 &&
    extraSamples <= MAX_EXTRA_SAMPLES &&
    (compression === TIFF_COMPRESSION.jpeg ? fitsJpeg(samples) : photometric !== TIFF_PHOTOMETRIC.yCbCr)
  );
};

const isDeflate = ({ compression }: Samples): boolean =>
  compression === TIFF_COMPRESSION.deflate || compression === TIFF_COMPRESSION.oldDeflate;

const readSamples = (page: TiffDirectory): Samples => {
  const number = (tag: number, absent: number): number => numberOf(page, tag) ?? absent;
  const photometric = number(TAGS.photometric, -1);
  const colourSamples = COLOURS[photometric]?.samples ?? 0;
  const bits = numbersOf(page, TAGS.bitsPerSample);
  const samples: Samples = {
    compression: number(TAGS.compression, TIFF_COMPRESSION.none),
    photometric,
    bitsPerSample: bits?.at(0) ?? 1,
    samplesPerPixel: number(TAGS.samplesPerPixel, 1),
    colourSamples,
    alpha: alphaOf(numberOf(page, TAGS.extraSamples)),
  };
  const isPlain =
    areAll(bits, samples.bitsPerSample) &&
    areAll(numbersOf(page, TAGS.sampleFormat), UNSIGNED) &&
    number(TAGS.inkSet, CMYK_INKS) === CMYK_INKS &&
    number(TAGS.fillOrder, 1) === 1;
  if (!isPlain || !isSupported(samples)) throw unsupported();
  return samples;
};

/** Whether samples are differences from their left neighbours; only two ways of packing know that. */
const readDifferenced = (page: TiffDirectory, samples: Samples): boolean => {
  const predictor = numberOf(page, TAGS.predictor) ?? 1;
  const isDifferenced = predictor === HORIZONTAL_PREDICTOR;
  if (predictor > HORIZONTAL_PREDICTOR || (isDifferenced && samples.bitsPerSample < 8)) throw unsupported();
  return isDifferenced && (samples.compression === TIFF_COMPRESSION.lzw || isDeflate(samples));
};

const readColorMap = (
  page: TiffDirectory,
  { photometric, bitsPerSample }: Samples,
): TiffLayout['colorMap'] => {
  if (photometric !== TIFF_PHOTOMETRIC.palette) return undefined;
  const colorMap = numbersOf(page, TAGS.colorMap);
  const length = 3 * 2 ** bitsPerSample;
  if (!colorMap || colorMap.length < length) throw corruptHeader(FORMAT);
  return Array.from({ length }, (_, index) => colorMap.at(index) ?? 0);
};

const readJpegTables = (page: TiffDirectory): TiffLayout['jpegTables'] => {
  const tables = bytesOf(page, TAGS.jpegTables);
  if (tables && tables.length > MAX_JPEG_TABLES_BYTES) throw corruptHeader(FORMAT);
  return tables;
};

/** The size that a page claims: what limits are applied to before its layout is read. */
export const readTiffSize = (page: TiffDirectory): Pick<TiffLayout, 'width' | 'height'> => {
  const width = numberOf(page, TAGS.width);
  const height = numberOf(page, TAGS.height);
  if (width === undefined || height === undefined) throw corruptHeader(FORMAT);
  return { width, height };
};

/**
 * Reads how a page is stored, and checks that all of it is in the file.
 *
 * @throws UnreadableFile where it is damaged, or coded in a way that is not supported on both hosts
 * @see TIFF 6.0; TIFF Technical Note 2 for JPEG
 */
export const readTiffLayout = (page: TiffDirectory): TiffLayout => {
  const { width, height } = readTiffSize(page);
  const samples = readSamples(page);
  const grid = readGrid(page, width, height);
  const isPlanar = numberOf(page, TAGS.planarConfiguration) === 2 && samples.samplesPerPixel > 1;
  if (
    samples.compression === TIFF_COMPRESSION.jpeg &&
    (isPlanar || grid.segmentHeight < Math.min(MIN_JPEG_STRIP_ROWS, height))
  ) {
    throw unsupported();
  }
  const perPlane = Math.ceil(width / grid.segmentWidth) * Math.ceil(height / grid.segmentHeight);
  return {
    width,
    height,
    ...samples,
    ...grid,
    isPlanar,
    isDifferenced: readDifferenced(page, samples),
    segments: readSegments(page, grid.isTiled, perPlane * (isPlanar ? samples.samplesPerPixel : 1)),
    colorMap: readColorMap(page, samples),
    jpegTables: readJpegTables(page),
    profile: bytesOf(page, TAGS.profile),
  };
};
