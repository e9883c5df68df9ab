import type { KeptInVideo, Place } from '../domain/kept-in-video';
import { joinBytes, viewOf } from '../engine/formats/bytes';
import { boxesIn, type Mp4Box } from '../engine/formats/mp4-boxes';
import { positionsTrack, type MovieFacts } from './positions-track';
import { box, fullBox, HEADER_BYTES, latin, words } from './write-boxes';

const NO_BYTES = new Uint8Array(0);

const signed = (value: number, digits: number, wholeDigits: number): string => {
  const text = Math.abs(value).toFixed(digits);
  const sign = value < 0 ? '-' : '+';
  return sign + text.padStart(wholeDigits + 1 + digits, '0');
};

/** ISO 6709, with seven digits behind the point: a centimetre. */
const placeText = ({ latitude, longitude, altitude }: Place): string => {
  const height = altitude === undefined ? '' : signed(altitude, 3, 3);
  return `${signed(latitude, 7, 2)}${signed(longitude, 7, 3)}${height}/`;
};

/** Undetermined, three letters of five bits. */
const LANGUAGE = 0x55c4;

/** The place as Android and cameras write it. */
const placeEntry = (place: Place): Uint8Array => {
  const text = latin(placeText(place));
  return box('©xyz', words(text.byteLength * 2 ** 16 + LANGUAGE), text);
};

const UTF_8 = 1;

/** Texts with names, as QuickTime has them. */
const namedTexts = (texts: readonly (readonly [name: string, value: string])[]): Uint8Array =>
  fullBox(
    'meta',
    fullBox('hdlr', words(0), latin('mdta'), words(0, 0, 0), latin('\0')),
    fullBox('keys', words(texts.length), ...texts.map(([name]) => box('mdta', latin(name)))),
    box(
      'ilst',
      ...texts.map(([, value], i) =>
        box(String.fromCharCode(0, 0, 0, i + 1), box('data', words(UTF_8, 0), latin(value))),
      ),
    ),
  );

/** Date and place of the movie, as its user data. */
const userData = ({ creationDate, place }: KeptInVideo): Uint8Array => {
  const texts = [
    ...(creationDate === undefined ? [] : [['com.apple.quicktime.creationdate', creationDate] as const]),
    ...(place ? [['com.apple.quicktime.location.ISO6709', placeText(place)] as const] : []),
  ];
  if (texts.length === 0) return NO_BYTES;
  return box('udta', place ? placeEntry(place) : NO_BYTES, namedTexts(texts));
};

/** Boxes on the way to those that state when something was made. */
const AROUND_DATES = ['moov', 'trak', 'mdia'];
const DATED = ['mvhd', 'tkhd', 'mdhd'];
const DATES_AT = 4;

/** Writes when the movie was made, and as its last change the same. */
const setDates = (moov: Uint8Array, boxes: Iterable<Mp4Box>, seconds: number): void => {
  const view = viewOf(moov);
  for (const { type, start, end } of boxes) {
    if (AROUND_DATES.includes(type)) setDates(moov, boxesIn(moov, start, end), seconds);
    if (!DATED.includes(type)) continue;
    const at = start + DATES_AT;
    const dates = view.getUint8(start) === 1 ? [0, seconds, 0, seconds] : [seconds, seconds];
    for (const [i, word] of dates.entries()) view.setUint32(at + 4 * i, word);
  }
};

/** Of the header of a movie: units of a second, and its length in them, by its version. */
const FIELDS = { short: { timescale: 12, duration: 16 }, long: { timescale: 20, duration: 24 } } as const;
const ID_BYTES = 4;

/** Reserves the number of a further track. */
const takeTrackId = (moov: Uint8Array, { start, end }: Mp4Box, createdAt: number): MovieFacts => {
  const view = viewOf(moov);
  const isLong = view.getUint8(start) === 1;
  const at = isLong ? FIELDS.long : FIELDS.short;
  const timescale = view.getUint32(start + at.timescale);
  const durationAt = start + at.duration;
  const duration = isLong ? Number(view.getBigUint64(durationAt)) : view.getUint32(durationAt);
  const trackId = view.getUint32(end - ID_BYTES);
  view.setUint32(end - ID_BYTES, trackId + 1);
  return { trackId, timescale, durationSeconds: duration / timescale, createdAt };
};

/**
 * Adds what is kept of the source to the index of a result: dates, the place, and a track with positions, whose media
 * come before the index.
 *
 * @param moov the whole box, which is the last of the file
 * @param at its offset in the file
 * @returns the bytes of the file from there on
 */
export const keepInMovie = (moov: Uint8Array, kept: KeptInVideo, at: number): Uint8Array => {
  const changed = moov.slice();
  const { createdAt, positions } = kept;
  if (createdAt !== undefined) setDates(changed, boxesIn(changed, 0, changed.byteLength), createdAt);
  const header = [...boxesIn(changed, HEADER_BYTES, changed.byteLength)].find(({ type }) => type === 'mvhd');
  const { media, track } =
    header && positions.length > 0
      ? positionsTrack(positions, takeTrackId(changed, header, createdAt ?? 0), at)
      : { media: NO_BYTES, track: NO_BYTES };
  const content = changed.subarray(HEADER_BYTES);
  return joinBytes([media, box('moov', content, track, userData(kept))]);
};
