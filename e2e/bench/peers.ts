/**
 * `npm run bench:peers`: time, memory, recall and precision of deface, a free program that hides faces, and of Veil, in
 * turn on the same photos and clips. A measurement, not a test: it never fails. Missing parts are skipped with a
 * sentence. Exit code 2: a wrong flag.
 *
 * deface is installed once, with pip, in `.veil/peers/deface`, if Python and a network are available.
 *
 * - `--limit N`: N photos of each labelled set, spread over it (all; 0: none); `--photos FOLDER`: more photos, whose
 *   faces are not labelled; repeatable;
 * - `--clips FILE` (two of `../shared/data/videos`); repeatable; `none`;
 * - `--frames N`: repeats each clip to at least N frames (0: once); MP4 files with H.264;
 * - `--classes CLASS`: what Veil hides while time is measured (`face`); repeatable; deface hides only faces;
 * - `--quality fast|balanced`: presets of Veil; repeatable (both);
 * - `--rounds N`: number of rounds, whose medians are printed (3).
 */
import { join } from 'node:path';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { dataPath } from '../support/samples';
import { machine } from './markdown';
import { compareFaces } from './peers/compare-faces';
import { compareClip, compareFolder, comparePhotos } from './peers/compare-time';
import { prepareDeface, startUntil } from './peers/deface-environment';
import { readFaceSets } from './peers/labelled-sets';
import { readPeerOptions, WrongFlag, type PeerOptions } from './peers/peer-options';
import { buildVeil, deface, veil, type Program } from './peers/programs';

endWhenOutputCloses();

const DEFACE_FOLDER = join(import.meta.dirname, '../../.veil/peers/deface');
/** Exit code that shells use for Ctrl-C. */
const EXIT_INTERRUPTED = 130;
/** Folder of the labelled sets. */
const LABELLED = ['faces/crowds', 'coco128'];
/** Photos of crowds with faces of all sizes, each photo once. */
const TIMED_SETS = ['crowds', 'giant-crowds'] as const;
/** Clips: faces near the camera, and a street without faces. */
const CLIPS = ['egoblur-test_face_video.mp4', 'udacity-lanes-solidWhiteRight.mp4'];

/** @returns its Python; undefined if there is none, after printing the reason */
const findDeface = async (): Promise<string | undefined> => {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const environment = await prepareDeface(DEFACE_FOLDER, console.log, startUntil(stop.signal));
  // A partial installation is removed by now.
  if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
  process.off('SIGINT', end).off('SIGTERM', end);
  if ('python' in environment) return environment.python;
  console.log(environment.problem);
  return undefined;
};

const compareLabelled = async (
  options: PeerOptions,
  programs: readonly Program[],
  python: string | undefined,
): Promise<void> => {
  if (options.limit === 0) return;
  const missing = LABELLED.filter((name) => dataPath(name) === undefined);
  const folder = dataPath();
  if (folder === undefined || missing.length > 0) {
    return console.log(`\nRecall and precision are left out: ../shared/data lacks ${missing.join(' and ')}.`);
  }
  const sets = await readFaceSets(folder, options.limit);
  await compareFaces(sets, python, options);
  const photos = TIMED_SETS.flatMap((name) => sets.get(name) ?? []).map(({ path }) => path);
  await comparePhotos(`${photos.length} photos of crowds`, photos, programs, options.rounds);
};

const clipsOf = ({ clips }: PeerOptions): readonly string[] => {
  if (clips !== undefined) return clips;
  const found = CLIPS.map((name) => dataPath('videos', name)).filter((path) => path !== undefined);
  if (found.length === 0) console.log('\nClips are left out: there are none in ../shared/data/videos.');
  return found;
};

const main = async (): Promise<void> => {
  const options = readPeerOptions(process.argv.slice(2));
  const { qualities, classes, rounds } = options;
  console.log(`${machine()}; medians, rounds: ${rounds}; in brackets: multiple of deface's figure\n`);
  buildVeil();
  const python = await findDeface();
  const programs = [
    ...(python === undefined ? [] : [deface(python)]),
    ...qualities.map((one) => veil(one, classes)),
  ];
  await compareLabelled(options, programs, python);
  for (const folder of options.photoFolders) await compareFolder(folder, programs, rounds);
  for (const clip of clipsOf(options)) await compareClip(clip, programs, options);
};

await main().catch((error: unknown) => {
  if (!(error instanceof WrongFlag)) throw error;
  console.log(error.message);
  process.exitCode = 2;
});
