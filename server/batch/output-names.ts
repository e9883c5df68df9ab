import type { MaskKind } from '#shared/ports/engine';
import { isVideoFormat, SOURCE_FORMATS, type SourceFormat } from '#shared/tasks/files/video-formats';

/** The files that are written for one picture or video, below the output folder. */
export interface OutputNames {
  /** Null with `detect`. */
  readonly anonymised: string | null;
  readonly masks: Readonly<Partial<Record<MaskKind, string>>>;
  readonly metadata: string | null;
}

/** What to write for each picture; videos have no masks. */
export interface Wanted {
  readonly anonymised: boolean;
  readonly masks: readonly MaskKind[];
  readonly metadata: boolean;
}

/** Of results: a video's is MP4, whatever it was made from. */
const EXTENSIONS = {
  jpeg: /\.(jpe?g|jpe|jfif)$/i,
  png: /\.png$/i,
  mp4: /\.(mp4|m4v)$/i,
} as const satisfies Partial<Record<SourceFormat, RegExp>>;
/** Not `.ts`: more of those are programs than videos. */
const VIDEO_EXTENSION = /\.(mp4|m4v|mov|qt|mkv|webm|avi|wmv|asf|mpe?g|m2ts|mts|flv|ogv)$/i;

const MASK_SUFFIXES = {
  binary: '_bin_mask.png',
  instance: '_ins_mask.png',
} as const satisfies Record<MaskKind, string>;

export const isNamedLikeVideo = (name: string): boolean => VIDEO_EXTENSION.test(name);

/** Whether a file's name says that it is a picture of a kind that can be read, or a video. */
export const isNamedLikeMedia = (name: string): boolean =>
  EXTENSIONS.jpeg.test(name) || EXTENSIONS.png.test(name) || isNamedLikeVideo(name);

const resultFormat = (format: SourceFormat): keyof typeof EXTENSIONS =>
  format === 'jpeg' || format === 'png' ? format : 'mp4';

/** The file keeps its name unless the extension does not fit the result: so `a.mov` and `a.mkv` never collide. */
const anonymisedName = (name: string, format: SourceFormat): string => {
  const result = resultFormat(format);
  return EXTENSIONS[result].test(name) ? name : `${name}.${SOURCE_FORMATS[result].extension}`;
};

const withoutExtension = (name: string): string => name.replace(/(?<=[^/])\.[^./]*$/, '');

const namesFrom = (stem: string, anonymised: string, wanted: Wanted): OutputNames => ({
  anonymised: wanted.anonymised ? anonymised : null,
  masks: Object.fromEntries(wanted.masks.map((kind) => [kind, stem + MASK_SUFFIXES[kind]])),
  metadata: wanted.metadata ? `${stem}.json` : null,
});

export const allNames = ({ anonymised, masks, metadata }: OutputNames): string[] =>
  [anonymised, ...Object.values(masks), metadata].filter((name) => name !== null);

/** Gives the results of each picture and video names of their own. */
export interface Namer {
  /** @returns undefined where another file of this run has the same name */
  name(name: string, format: SourceFormat): OutputNames | undefined;
}

/**
 * Names results `a.jpg`, `a_bin_mask.png`, `a_ins_mask.png` and `a.json`; of videos `a.mp4` and `a.json`.
 *
 * Where `a.png` lies beside `a.jpg`, the later one's are called `a.png_bin_mask.png` and so on. A video of another
 * container is called `a.mov.mp4`.
 */
export const createNamer = (wanted: Wanted): Namer => {
  const taken = new Set<string>();
  return {
    name: (name, format) => {
      const anonymised = anonymisedName(name, format);
      const ofKind = isVideoFormat(format) ? { ...wanted, masks: [] } : wanted;
      const candidates = [withoutExtension(name), name].map((stem) => namesFrom(stem, anonymised, ofKind));
      const free = candidates.find((names) => !allNames(names).some((each) => taken.has(each)));
      if (free) for (const each of allNames(free)) taken.add(each);
      return free;
    },
  };
};
