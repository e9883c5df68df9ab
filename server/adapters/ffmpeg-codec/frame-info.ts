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

/**
 * Filter that logs a description of each frame. A file cannot forge these lines: ffmpeg reads a stream that we wrote,
 * and no text of the file is in it.
 */
export const FRAME_INFO_FILTER = 'showinfo=checksum=0';
const FRAME =
  /\[Parsed_showinfo_\d+ @ [^\]]*\] n: *\d+ pts: *(?<pts>-?\d+|NOPTS) .*fmt:(?<format>\w+).* s:(?<width>\d+)x(?<height>\d+) /;
const COLOURS =
  /\[Parsed_showinfo_\d+ @ [^\]]*\] color_range:(?<range>\S+) color_space:(?<matrix>\S+) color_primaries:(?<primaries>\S+) color_trc:(?<transfer>\S+)/;

type Tag<Key extends keyof VideoColorSpaceInit> = Readonly<Record<string, VideoColorSpaceInit[Key]>>;

const MATRICES: Tag<'matrix'> = {
  gbr: 'rgb',
  bt709: 'bt709',
  bt470bg: 'bt470bg',
  smpte170m: 'smpte170m',
  bt2020nc: 'bt2020-ncl',
};
const PRIMARIES: Tag<'primaries'> = {
  bt709: 'bt709',
  bt470bg: 'bt470bg',
  smpte170m: 'smpte170m',
  bt2020: 'bt2020',
  smpte432: 'smpte432',
};
const TRANSFERS: Tag<'transfer'> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  linear: 'linear',
  'iec61966-2-1': 'iec61966-2-1',
  smpte2084: 'pq',
  'arib-std-b67': 'hlg',
};
const RANGES: Tag<'fullRange'> = { tv: false, pc: true };

type Groups = Record<string, string>;

const colorSpaceOf = (line: string): VideoColorSpaceInit | undefined => {
  const colours = COLOURS.exec(line)?.groups as Groups | undefined;
  return (
    colours && {
      matrix: MATRICES[colours['matrix']!] ?? null,
      primaries: PRIMARIES[colours['primaries']!] ?? null,
      transfer: TRANSFERS[colours['transfer']!] ?? null,
      fullRange: RANGES[colours['range']!] ?? null,
    }
  );
};

const frameOf = (line: string): FrameInfo | undefined => {
  const frame = FRAME.exec(line)?.groups as Groups | undefined;
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

/** Reads ffmpeg's log in pieces. */
export interface FrameInfoReader {
  add(text: string): void;
  /** Reports the last frame, at the end of the log. */
  end(): void;
}

/** @param onFrame called for each decoded frame, in order. The colour space is on a later line than the frame */
export const createFrameInfoReader = (onFrame: (info: FrameInfo) => void): FrameInfoReader => {
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
    add: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      lines.forEach(readLine);
    },
    end: () => give(),
  };
};
