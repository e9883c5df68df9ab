import { loggedColours } from '#shared/engine/video/frame-colours';

/** Layout of a frame's bytes: plane after plane without gaps. */
interface RawFormat {
  /** The name in WebCodecs. */
  readonly format: string;
  readonly bytesPerSample: 1 | 2 | 4;
  /** How often the sides of the colour planes are halved, compared with the first plane; undefined: only one plane. */
  readonly chroma?: { readonly shiftX: number; readonly shiftY: number };
}

const planar = (format: string, bytesPerSample: 1 | 2, shiftX: number, shiftY: number): RawFormat => ({
  format,
  bytesPerSample,
  chroma: { shiftX, shiftY },
});

/** Formats by ffmpeg's names. Those that begin with `yuvj` have full range. */
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

/** Filter that keeps these formats and converts others to the one with the smallest loss. */
export const RAW_FORMAT_FILTER = `format=${Object.keys(RAW_FORMATS).join('|')}`;

/** Filter for frames whose colours are not coded in YUV. */
export const RGBA_FILTER = 'format=rgba';

/** The planes of a frame and the size of all. */
export interface RawLayout {
  readonly format: string;
  readonly planes: readonly PlaneLayout[];
  readonly byteLength: number;
  /** Whether ffmpeg's name of the format implies full range. */
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

/** The layout of a format by ffmpeg's name. @returns undefined where the filter cannot have returned this format */
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

/** The layout of a format by its name in WebCodecs. */
export const layoutOf = (format: string, width: number, height: number): RawLayout | undefined => {
  const name = Object.keys(RAW_FORMATS).find((each) => RAW_FORMATS[each]?.format === format);
  return name === undefined ? undefined : rawLayout(name, width, height);
};

/** ffmpeg's description of a decoded frame. */
export interface FrameInfo {
  /** Undefined if unknown. */
  readonly timestampUs: number | undefined;
  /** ffmpeg's name, such as `yuv420p`. */
  readonly pixelFormat: string;
  readonly width: number;
  readonly height: number;
  /** The colour space in the encoded video itself; the container may declare another one. */
  readonly colorSpace: VideoColorSpaceInit;
}

/** What ffmpeg logs of a frame. A file cannot forge it: ffmpeg reads a stream that we wrote, without a text of the file. */
const FRAME =
  /\[Parsed_showinfo_\d+ @ [^\]]*\] n: *\d+ pts: *(?<pts>-?\d+|NOPTS) .*fmt:(?<format>\w+).* s:(?<width>\d+)x(?<height>\d+) /;
/** ffmpeg's names for those of WebCodecs, where they differ. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ rgb: 'gbr', 'bt2020-ncl': 'bt2020nc', pq: 'smpte2084', hlg: 'arib-std-b67' },
};

/** ffmpeg's name for a matrix, for primaries or a transfer of WebCodecs. */
export const ffmpegName = (name: string): string => OTHER_NAMES[name] ?? name;

/** What WebCodecs knows of each. */
const MATRICES = ['rgb', 'bt709', 'bt470bg', 'smpte170m', 'bt2020-ncl'] as const;
const PRIMARIES = ['bt709', 'bt470bg', 'smpte170m', 'bt2020', 'smpte432'] as const;
const TRANSFERS = ['bt709', 'smpte170m', 'linear', 'iec61966-2-1', 'pq', 'hlg'] as const;
const RANGES: Readonly<Record<string, boolean>> = { tv: false, pc: true };

const known = <Name extends string>(names: readonly Name[], ofFfmpeg: string): Name | null =>
  names.find((name) => ffmpegName(name) === ofFfmpeg) ?? null;

const colorSpaceOf = (line: string): VideoColorSpaceInit | undefined => {
  const colours = loggedColours(line);
  return (
    colours && {
      matrix: known(MATRICES, colours.matrix),
      primaries: known(PRIMARIES, colours.primaries),
      transfer: known(TRANSFERS, colours.transfer),
      fullRange: RANGES[colours.range] ?? null,
    }
  );
};

const frameOf = (line: string): FrameInfo | undefined => {
  const frame = FRAME.exec(line)?.groups as Record<string, string> | undefined;
  if (!frame) return undefined;
  const { pts, format, width, height } = frame;
  return {
    timestampUs: pts === 'NOPTS' ? undefined : Number(pts),
    pixelFormat: format!,
    width: Number(width),
    height: Number(height),
    colorSpace: {},
  };
};

/**
 * Reads ffmpeg's log in pieces.
 *
 * @param onFrame called for each decoded frame, in order. The colour space is on a later line than the frame
 */
export const createFrameInfoReader = (onFrame: (info: FrameInfo) => void) => {
  let rest = '';
  let waiting: FrameInfo | undefined;
  const give = (colorSpace: VideoColorSpaceInit = {}): void => {
    if (waiting) onFrame({ ...waiting, colorSpace });
    waiting = undefined;
  };
  const readLine = (line: string): void => {
    const frame = frameOf(line);
    if (frame) {
      give();
      waiting = frame;
      return;
    }
    const colours = waiting && colorSpaceOf(line);
    if (colours) give(colours);
  };
  return {
    add: (text: string): void => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      lines.forEach(readLine);
    },
    /** Reports the last frame, at the end of the log. */
    end: () => give(),
  };
};
