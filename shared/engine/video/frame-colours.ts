import { areSameColours, type CodedColours } from '../formats/colours/coded-colours';

/** Filter that logs a description of each frame. */
export const FRAME_INFO_FILTER = 'showinfo=checksum=0';

/** ffmpeg's names of the colours of a frame. */
interface LoggedColours {
  readonly range: string;
  readonly matrix: string;
  readonly primaries: string;
  readonly transfer: string;
}

const COLOURS =
  /(?:^|\] )color_range:(?<range>\S+) color_space:(?<matrix>\S+) color_primaries:(?<primaries>\S+) color_trc:(?<transfer>\S+)/;

/** The colours in a line of the filter; undefined: it contains none. */
export const loggedColours = (line: string): LoggedColours | undefined =>
  COLOURS.exec(line)?.groups as LoggedColours | undefined;

/** ffmpeg's names of the numbers of ITU-T H.273, from 0 on. The few behind them count as one. */
const NAMES = {
  matrix:
    'gbr bt709 unknown reserved fcc bt470bg smpte170m smpte240m ycgco bt2020nc bt2020c smpte2085 chroma-derived-nc chroma-derived-c ictcp',
  primaries:
    'reserved bt709 unknown reserved bt470m bt470bg smpte170m smpte240m film bt2020 smpte428 smpte431 smpte432',
  transfer:
    'reserved bt709 unknown reserved bt470m bt470bg smpte170m smpte240m linear log100 log316 iec61966-2-4 bt1361e iec61966-2-1 bt2020-10 bt2020-12 smpte2084 smpte428 arib-std-b67',
} as const;

const numberOf = (kind: keyof typeof NAMES, logged: LoggedColours): number =>
  NAMES[kind].split(' ').indexOf(logged[kind]);

const codedColours = (logged: LoggedColours): CodedColours => ({
  fullRange: logged.range === 'pc',
  primaries: numberOf('primaries', logged),
  transfer: numberOf('transfer', logged),
  matrix: numberOf('matrix', logged),
});

/** Compares the colours of frames with those of the first one. */
export const createColourLog = () => {
  let first: CodedColours | undefined;
  let areChanged = false;
  return {
    /** Takes any line of the log. */
    add: (line: string): void => {
      const logged = loggedColours(line);
      if (!logged) return;
      const colours = codedColours(logged);
      areChanged ||= !areSameColours((first ??= colours), colours);
    },
    areChanged: () => areChanged,
  };
};
