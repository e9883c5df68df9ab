/**
 * `npm run eval:subjects`: how often the recogniser of one person shows a wrong face, and hides a right one.
 *
 * Identities are different photos of one person, labelled by hand. Look-alikes are the most similar faces of other
 * persons. Mirrored and relit faces are copies of one photo, and show only that light and side do not matter.
 */
import { join } from 'node:path';
import { embedFace, openRecogniser } from '#shared/engine/subjects/embed-face';
import { showThreshold } from '#shared/engine/subjects/subject-limits';
import { createSessions } from '#shared/engine/inference/sessions';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../../server/adapters/model-files';
import { system } from '../../../server/adapters/system';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
import { compareTracks, type TrackCounts } from './compare-tracks';
import { countShowable, type ShowableCounts } from './count-showable';
import { compareCopies, compareIdentities, compareLookAlikes, type Pairs } from './count-shows';
import { makeEmbed, readKnownFaces, type Embed } from './known-faces';
import { compareMovingFaces, readMovingFaces } from './moving-photos';

endWhenOutputCloses();

const MODELS = join(import.meta.dirname, '../..');
const THRESHOLDS = [0.45, 0.5, 0.55, 0.6, 0.65, 0.7];

const openEmbed = async (): Promise<Embed> => {
  const manifest = await readManifest(MODELS);
  const modelFiles = createModelFiles(MODELS);
  const sessions = createSessions({ runtime: createInferenceRuntime(2), modelFiles, system, manifest });
  const recogniser = await openRecogniser(manifest, sessions);
  return makeEmbed((pyramid, box) => embedFace(pyramid, box, recogniser));
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const NOT_VERIFIED = 'not verified';

const cell = (failures: number, pairs: number): string =>
  pairs === 0 ? NOT_VERIFIED : `${failures} of ${pairs}`;
const share = (shown: number, pairs: number): string =>
  pairs === 0 ? NOT_VERIFIED : (shown / pairs).toFixed(3);

const printPairs = (kind: string, { right, wrong }: Pairs, usual: number): void => {
  for (const threshold of THRESHOLDS) {
    const falseShows = wrong.filter((similarity) => similarity >= threshold).length;
    const falseHides = right.filter((similarity) => similarity < threshold).length;
    const name = `${threshold.toFixed(2)}${threshold === usual ? ' (default)' : ''}`;
    const shown = share(right.length - falseHides, right.length);
    console.log(row([kind, name, cell(falseShows, wrong.length), cell(falseHides, right.length), shown]));
  }
  const highest = wrong.length > 0 ? Math.max(...wrong).toFixed(3) : NOT_VERIFIED;
  console.log(row([kind, 'highest of other persons', highest, '', '']));
};

const printTracks = (kind: string, counts: TrackCounts | undefined, photos: number): void => {
  const { right, rightShown, wrong, wrongShown } = counts ?? {
    right: 0,
    rightShown: 0,
    wrong: 0,
    wrongShown: 0,
  };
  console.log(
    row([
      kind,
      `${showThreshold(photos).toFixed(2)} (default)`,
      cell(wrongShown, wrong),
      cell(right - rightShown, right),
      share(rightShown, right),
    ]),
  );
};

/** Another person counts as visible from this share of its pixels. */
const EXPOSED_SHARE = 0.02;

const printShowable = ({ faces, withPersons, facesOnly, exposed }: ShowableCounts): void => {
  const visible = exposed.filter((one) => one > EXPOSED_SHARE).toSorted((a, b) => b - a);
  console.log(`\nOf ${faces} faces, other regions permit to show:`);
  console.log(`- with the default classes: ${withPersons}; if only faces are hidden: ${facesOnly}`);
  console.log(
    `- other persons with outlines: ${exposed.length}; more than ${EXPOSED_SHARE} visible: ${visible.length}` +
      ` (${visible.map((one) => one.toFixed(2)).join(', ')})`,
  );
};

const main = async (): Promise<void> => {
  const engine = await openEngine();
  const embed = await openEmbed();
  const faces = await readKnownFaces(engine, embed);
  console.log(`${faces.length} faces\n`);
  const head = ['Kind', 'Threshold', 'False shows', 'False hides', 'Share of right faces shown'];
  console.log(`${row(head)}\n${row(head.map(() => '---'))}`);
  for (const photos of [1, 2, 3, 5]) {
    const kind = `identities, subject of ${photos} photo${photos > 1 ? 's' : ''}`;
    printPairs(kind, compareIdentities(faces, photos), showThreshold(photos));
  }
  printPairs('look-alikes, subject of 1 photo', compareLookAlikes(faces), showThreshold(1));
  printPairs('mirrored copies', compareCopies(faces, 'mirrored'), showThreshold(1));
  printPairs('relit copies', compareCopies(faces, 'relit'), showThreshold(1));
  printTracks('tracks of a clip, subject of 3 frames', await compareTracks(engine, embed), 3);
  const moving = await readMovingFaces(engine, embed);
  for (const photos of [1, 3, 5]) {
    const kind = `tracks of moving photos, subject of ${photos} photo${photos > 1 ? 's' : ''}`;
    printTracks(kind, compareMovingFaces(moving, faces, photos), photos);
  }
  printShowable(await countShowable(engine));
};

await main();
