import type { ImageFormat, MaskKind } from '#shared/ports/engine';
import { IMAGE_FORMATS } from '#shared/tasks/image-formats';

/** The files that are written for one picture, below the output folder. */
export interface OutputNames {
  /** Null with `detect`. */
  readonly picture: string | null;
  readonly masks: Readonly<Partial<Record<MaskKind, string>>>;
  readonly metadata: string | null;
}

/** What to write beside each picture. */
export interface Wanted {
  readonly picture: boolean;
  readonly masks: readonly MaskKind[];
  readonly metadata: boolean;
}

const EXTENSIONS = {
  jpeg: /\.(jpe?g|jpe|jfif)$/i,
  png: /\.png$/i,
} as const satisfies Record<ImageFormat, RegExp>;

const MASK_SUFFIXES = {
  binary: '_bin_mask.png',
  instance: '_ins_mask.png',
} as const satisfies Record<MaskKind, string>;

/** Whether a file's name says that it is a picture of a kind that can be read. */
export const looksLikePicture = (name: string): boolean =>
  Object.values(EXTENSIONS).some((extension) => extension.test(name));

/** The picture keeps its name, unless that tells another format than the content. */
const pictureName = (name: string, format: ImageFormat): string =>
  EXTENSIONS[format].test(name) ? name : `${name}.${IMAGE_FORMATS[format].extension}`;

const withoutExtension = (name: string): string => name.replace(/(?<=[^/])\.[^./]*$/, '');

const namesFrom = (stem: string, picture: string, wanted: Wanted): OutputNames => ({
  picture: wanted.picture ? picture : null,
  masks: Object.fromEntries(wanted.masks.map((kind) => [kind, stem + MASK_SUFFIXES[kind]])),
  metadata: wanted.metadata ? `${stem}.json` : null,
});

export const allNames = ({ picture, masks, metadata }: OutputNames): string[] =>
  [picture, ...Object.values(masks), metadata].filter((name) => name !== null);

/** Gives each picture's results names of their own. */
export interface Namer {
  /** @returns undefined where another picture of this run has the same name */
  name(name: string, format: ImageFormat): OutputNames | undefined;
}

/**
 * Names results `a.jpg`, `a_bin_mask.png`, `a_ins_mask.png` and `a.json`.
 *
 * Where `a.png` lies beside `a.jpg`, the later one's are called `a.png_bin_mask.png` and so on.
 */
export const createNamer = (wanted: Wanted): Namer => {
  const taken = new Set<string>();
  return {
    name: (name, format) => {
      const picture = pictureName(name, format);
      const candidates = [withoutExtension(name), name].map((stem) => namesFrom(stem, picture, wanted));
      const free = candidates.find((names) => !allNames(names).some((each) => taken.has(each)));
      if (free) for (const each of allNames(free)) taken.add(each);
      return free;
    },
  };
};
