import { isReadDirectly } from '../../catalogue/formats';
import { UnreadableFile } from '../../domain/failure';
import { isPlace, type KeptInVideo, type Place, type TimedPlace } from '../../domain/kept-in-video';
import { LIMITS } from '../../domain/limits';
import type { ByteSource } from '../../ports/video';
import { fourCharacters, viewOf } from './bytes';
import type { CheckedVideo } from './check-mp4';
import { VIDEO_DATE, VIDEO_PLACE } from './kept-fields';
import { boxesIn, FULL_BOX_BYTES, looseBoxesIn, type Mp4Box } from './mp4-boxes';
import { hasPositions, readPositions, type PositionTrack } from './positions/read-positions';
import { HEAD_BYTES, recogniseVideo } from './recognise';
import { checkVideo } from './video-metadata';

const ANY_FORMAT = { takesVideo: true, convertsVideo: true } as const;
const NOTHING: KeptInVideo = { positions: [] };

/** What damaged or hostile metadata give: they are dropped, and the video is made all the same. */
const orDropped = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof RangeError) return undefined;
    throw error;
  }
};

/** A movie's index, which was checked. */
interface Movie {
  readonly bytes: Uint8Array;
  readonly boxes: readonly Mp4Box[];
}

const childOf = (
  bytes: Uint8Array,
  box: Mp4Box | undefined,
  ...path: readonly string[]
): Mp4Box | undefined => {
  const [type, ...rest] = path;
  if (!box || type === undefined) return box;
  const child = [...boxesIn(bytes, box.start, box.end)].find((one) => one.type === type);
  return childOf(bytes, child, ...rest);
};

/** A date in a header, if it has one that 32 bits can state: until 2040. */
const dateIn = (bytes: Uint8Array, box: Mp4Box | undefined): number | undefined => {
  if (!box) return undefined;
  const view = viewOf(bytes);
  const at = box.start + FULL_BOX_BYTES;
  const isLong = view.getUint8(box.start) === 1;
  if (isLong && view.getUint32(at) !== 0) return undefined;
  return view.getUint32(isLong ? at + 4 : at) || undefined;
};

/** When the movie was made, or else one of its tracks. */
const createdIn = ({ bytes, boxes }: Movie): number | undefined => {
  const tracks = boxes.filter(({ type }) => type === 'trak');
  const dated = [
    ...boxes.filter(({ type }) => type === 'mvhd'),
    ...tracks.flatMap((track) => [childOf(bytes, track, 'tkhd'), childOf(bytes, track, 'mdia', 'mdhd')]),
  ];
  return dated.map((box) => dateIn(bytes, box)).find((date) => date !== undefined);
};

/** Longer than any text that is kept. */
const MAX_TEXT_BYTES = 128;
const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  end - start > MAX_TEXT_BYTES ? '' : String.fromCharCode(...bytes.subarray(start, Math.max(start, end)));

/** Version, flags and number of entries, before the names of QuickTime. */
const KEYS_HEAD_BYTES = 8;
/** Type and language, before a value. */
const DATA_HEAD_BYTES = 8;

/** Values of QuickTime's named metadata, by their names. */
const namedValues = (bytes: Uint8Array, meta: Mp4Box | undefined): ReadonlyMap<string, string> => {
  if (!meta) return new Map();
  const isOfQuickTime = fourCharacters(bytes, meta.start + 4) === 'hdlr';
  const parts = [...looseBoxesIn(bytes, meta.start + (isOfQuickTime ? 0 : FULL_BOX_BYTES), meta.end)];
  const [keys, list] = ['keys', 'ilst'].map((type) => parts.find((part) => part.type === type));
  if (!keys || !list) return new Map();
  const names = [...looseBoxesIn(bytes, keys.start + KEYS_HEAD_BYTES, keys.end)].map(({ start, end }) =>
    textOf(bytes, start, end),
  );
  const values = new Map<string, string>();
  for (const item of looseBoxesIn(bytes, list.start, list.end)) {
    const name = names[viewOf(bytes).getUint32(item.start - 4) - 1];
    const [data] = looseBoxesIn(bytes, item.start, item.end);
    if (!name || data?.type !== 'data') continue;
    values.set(name, textOf(bytes, data.start + DATA_HEAD_BYTES, data.end));
  }
  return values;
};

/** A text of ISO 6709, in degrees. */
const placeOfText = (text: string | undefined): Place | undefined => {
  const [, latitude, longitude, altitude] = VIDEO_PLACE.exec(text ?? '') ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const place = {
    ...{ latitude: Number(latitude), longitude: Number(longitude) },
    ...(altitude !== undefined && { altitude: Number(altitude) }),
  };
  return isPlace(place) ? place : undefined;
};

/** Length and language, before the text of a user. */
const USER_TEXT_HEAD_BYTES = 4;
const placeOfUserText = (bytes: Uint8Array, { start, end }: Mp4Box): Place | undefined => {
  const from = start + USER_TEXT_HEAD_BYTES;
  return placeOfText(textOf(bytes, from, Math.min(end, from + viewOf(bytes).getUint16(start))));
};

/** Numbers of a place in the box of 3GPP have 16 bits behind the point. */
const FRACTION = 2 ** 16;
/** Of the box of 3GPP: version, flags and language, before the name of the place. */
const LOCI_HEAD_BYTES = 6;
const UTF_16_MARKS = [0xfeff, 0xfffe];
const placeOfLoci = (bytes: Uint8Array, { start, end }: Mp4Box): Place | undefined => {
  const view = viewOf(bytes);
  const name = start + LOCI_HEAD_BYTES;
  if (UTF_16_MARKS.includes(view.getUint16(name))) return undefined;
  const at = bytes.indexOf(0, name) + 2; // behind the role
  if (at < name || at + 12 > end) return undefined;
  const [longitude, latitude, altitude] = [0, 4, 8].map((offset) => view.getInt32(at + offset) / FRACTION);
  const place = { latitude: latitude!, longitude: longitude!, altitude: altitude! };
  return isPlace(place) ? place : undefined;
};

/** Creation date and place among the texts of a movie. */
const textsIn = ({ bytes, boxes }: Movie): Pick<KeptInVideo, 'creationDate' | 'place'> => {
  const user = boxes.filter(({ type }) => type === 'udta');
  const entries = user.flatMap(({ start, end }) => [...looseBoxesIn(bytes, start, end)]);
  const metas = [...boxes, ...entries].filter(({ type }) => type === 'meta');
  const named = new Map(metas.flatMap((meta) => [...namedValues(bytes, meta)]));
  const date = named.get('com.apple.quicktime.creationdate');
  const entry = (type: string): Mp4Box | undefined => entries.find((one) => one.type === type);
  const [text, box] = [entry('©xyz'), entry('loci')];
  const place =
    placeOfText(named.get('com.apple.quicktime.location.ISO6709')) ??
    (text && placeOfUserText(bytes, text)) ??
    (box && placeOfLoci(bytes, box));
  return {
    ...(date !== undefined && VIDEO_DATE.test(date) && { creationDate: date }),
    ...(place && { place }),
  };
};

/** Version, flags and number of descriptions. */
const STSD_HEAD_BYTES = 8;
/** Of the media header: units of a second, behind two dates. */
const TIMESCALE_AT = { short: 12, long: 20 } as const;

/** The first track with positions. */
const positionTrack = ({ bytes, boxes }: Movie, { tracks }: CheckedVideo): PositionTrack | undefined => {
  const all = boxes.filter(({ type }) => type === 'trak');
  for (const [i, track] of all.entries()) {
    const stbl = childOf(bytes, track, 'mdia', 'minf', 'stbl');
    const stsd = childOf(bytes, stbl, 'stsd');
    const mdhd = childOf(bytes, track, 'mdia', 'mdhd');
    if (!stbl || !stsd || !mdhd) continue;
    const coding = fourCharacters(bytes, stsd.start + STSD_HEAD_BYTES + 4);
    if (!hasPositions(coding)) continue;
    const at = bytes[mdhd.start] === 1 ? TIMESCALE_AT.long : TIMESCALE_AT.short;
    const timescale = viewOf(bytes).getUint32(mdhd.start + at);
    return { coding, timescale, stbl, edits: tracks[i]?.edits };
  }
  return undefined;
};

const keptInMp4 = async (
  source: ByteSource,
  checked: CheckedVideo,
  signal: AbortSignal,
): Promise<KeptInVideo> => {
  const bytes = await source.read(...checked.movie!);
  const boxes = await orDropped(() => [...boxesIn(bytes, 0, bytes.byteLength)]);
  if (!boxes) return NOTHING;
  const movie = { bytes, boxes };
  const createdAt = await orDropped(() => createdIn(movie));
  const positions = await orDropped((): Promise<readonly TimedPlace[]> | undefined => {
    const track = positionTrack(movie, checked);
    return track && readPositions(source, bytes, track, signal);
  });
  return {
    ...(createdAt !== undefined && { createdAt }),
    ...(await orDropped(() => textsIn(movie))),
    positions: positions ?? [],
  };
};

/**
 * Reads what the result of a video keeps of its source on request: when and where it was taken, and where the camera was
 * during it.
 *
 * Values are parsed and written anew, so that no text of the file reaches the result but dates. What is damaged or out of
 * range is left out; no metadata is a reason to refuse a video.
 */
export const readKeptInVideo = async (source: ByteSource, signal: AbortSignal): Promise<KeptInVideo> => {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes));
  const format = recogniseVideo(head, ANY_FORMAT);
  if (!format || !isReadDirectly(format)) return NOTHING;
  const checked = await orDropped(() => checkVideo(source, format, LIMITS.maxVideoFrames));
  if (!checked) return NOTHING;
  if (checked.movie) return keptInMp4(source, checked, signal);
  return { ...(checked.createdAt !== undefined && { createdAt: checked.createdAt }), positions: [] };
};
