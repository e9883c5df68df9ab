import { MessageProblem } from '../messages/image-message';

/** Codings of `CompressedVideo`, by the names of its format. */
export type VideoCoding = 'h264' | 'h265';

const isCoding = (format: string): format is VideoCoding => format === 'h264' || format === 'h265';

/** @throws MessageProblem */
export const requireCoding = (format: string): VideoCoding => {
  if (isCoding(format)) return format;
  throw new MessageProblem(`it has video in the format ${JSON.stringify(format)}`);
};

/** Offsets of the units behind their start codes. */
const unitsAt = (data: Uint8Array): number[] => {
  const found: number[] = [];
  for (let at = 0; at + 3 < data.length; at++) {
    if (data[at] === 0 && data[at + 1] === 0 && data[at + 2] === 1) found.push(at + 3);
  }
  return found;
};

const TYPES = {
  h264: (head: number) => head & 0x1f,
  h265: (head: number) => (head >> 1) & 0x3f,
} as const satisfies Record<VideoCoding, (head: number) => number>;

/** Types of units from which decoding can begin. */
const KEYS = {
  h264: (type: number) => type === 5,
  h265: (type: number) => type >= 16 && type <= 21,
} as const satisfies Record<VideoCoding, (type: number) => boolean>;
const H264_SPS = 7;

/** An access unit. */
export interface AccessUnit {
  readonly isKey: boolean;
  /** Of the decoder, as WebCodecs names it; undefined: the unit does not say it. */
  readonly codec: string | undefined;
}

const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).padStart(2, '0');

/** @throws MessageProblem where the data are no access unit in the form of Annex B */
export const readAccessUnit = (data: Uint8Array, coding: VideoCoding): AccessUnit => {
  const units = unitsAt(data);
  if (units[0] === undefined || units[0] > 4) {
    throw new MessageProblem('its video is not in the form of Annex B');
  }
  const types = units.map((at) => TYPES[coding](data[at]!));
  const isKey = types.some(KEYS[coding]);
  if (coding === 'h265') return { isKey, codec: isKey ? 'hev1.1.6.L153.B0' : undefined };
  const sps = units[types.indexOf(H264_SPS)];
  const profile = sps === undefined ? undefined : [1, 2, 3].map((by) => hex(data[sps + by])).join('');
  return { isKey, codec: profile === undefined ? undefined : `avc1.${profile}` };
};
