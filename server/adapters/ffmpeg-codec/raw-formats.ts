/** How the bytes of a picture lie, plane after plane without gaps. */
interface RawFormat {
  /** By the name of WebCodecs. */
  readonly format: string;
  readonly bytesPerSample: 1 | 2 | 4;
  /** Size of the colour planes against the first: halved so many times; undefined: there is one plane. */
  readonly chroma?: { readonly shiftX: number; readonly shiftY: number };
}

const planar = (format: string, bytesPerSample: 1 | 2, shiftX: number, shiftY: number): RawFormat => ({
  format,
  bytesPerSample,
  chroma: { shiftX, shiftY },
});

/** By ffmpeg's names. The `yuvj` ones have full range. */
const RAW_FORMATS: Readonly<Record<string, RawFormat>> = {
  yuv420p: planar('I420', 1, 1, 1),
  yuvj420p: planar('I420', 1, 1, 1),
  yuv422p: planar('I422', 1, 1, 0),
  yuvj422p: planar('I422', 1, 1, 0),
  yuv444p: planar('I444', 1, 0, 0),
  yuvj444p: planar('I444', 1, 0, 0),
  yuv420p10le: planar('I420P10', 2, 1, 1),
  yuv422p10le: planar('I422P10', 2, 1, 0),
  yuv444p10le: planar('I444P10', 2, 0, 0),
  yuv420p12le: planar('I420P12', 2, 1, 1),
  yuv422p12le: planar('I422P12', 2, 1, 0),
  yuv444p12le: planar('I444P12', 2, 0, 0),
  rgba: { format: 'RGBA', bytesPerSample: 4 },
};

/** Filter that leaves these formats as they are, and turns others into the one that loses least. */
export const RAW_FORMAT_FILTER = `format=${Object.keys(RAW_FORMATS).join('|')}`;

/** The one for pictures whose colours are not coded in YUV. */
export const RGBA_FILTER = 'format=rgba';

/** Planes of a picture and the bytes of all. */
export interface RawLayout {
  readonly format: string;
  readonly planes: readonly PlaneLayout[];
  readonly byteLength: number;
  /** Known by ffmpeg's name of the format. */
  readonly isFullRange: boolean;
}

const layOut = (raw: RawFormat, width: number, height: number): Pick<RawLayout, 'planes' | 'byteLength'> => {
  const { bytesPerSample, chroma } = raw;
  const planes: PlaneLayout[] = [{ offset: 0, stride: width * bytesPerSample }];
  let byteLength = width * height * bytesPerSample;
  if (chroma) {
    const stride = Math.ceil(width / (1 << chroma.shiftX)) * bytesPerSample;
    for (let plane = 0; plane < 2; plane++) {
      planes.push({ offset: byteLength, stride });
      byteLength += stride * Math.ceil(height / (1 << chroma.shiftY));
    }
  }
  return { planes, byteLength };
};

/** @returns undefined where the format is none of those asked for */
export const rawLayout = (pixelFormat: string, width: number, height: number): RawLayout | undefined => {
  const raw = RAW_FORMATS[pixelFormat];
  return (
    raw && {
      format: raw.format,
      isFullRange: pixelFormat.startsWith('yuvj'),
      ...layOut(raw, width, height),
    }
  );
};

/** The same by the name of WebCodecs. */
export const layoutOf = (format: string, width: number, height: number): RawLayout | undefined => {
  const name = Object.keys(RAW_FORMATS).find((each) => RAW_FORMATS[each]?.format === format);
  return name === undefined ? undefined : rawLayout(name, width, height);
};
