import type { Box } from '#shared/domain/boxes';
import type { ObjectClass } from '#shared/catalogue/classes';
import { found } from '#shared/testing/plans';
import { NO_ITEM_EDITS } from '../state/edit-history';
import type { MediaResult, SeenSpan } from '../state/media-item';
import { emptyState, reduceApp, type AppEvent, type AppState } from '../state/app-reducer';
import { defaultSettings } from '../state/settings';

/** Size of every test image, in px. */
export const ITEM_SIZE = { width: 400, height: 300 };

export const SETTINGS = defaultSettings();

export interface TestDetection {
  readonly objectClass: ObjectClass;
  readonly box: Box;
  readonly score?: number;
}

/** An editable result of an image with these detections. */
export const resultWith = (taskId: string, objects: readonly TestDetection[]): MediaResult => ({
  taskId,
  ...ITEM_SIZE,
  objects: objects.map(({ objectClass, box: { x1, y1, x2, y2 }, score = 0.9 }, id) => ({
    ...{ id, objectClass, score, x: x1, y: y1 },
    ...{ width: x2 - x1, height: y2 - y1 },
  })),
  durationS: 0.1,
  hasImage: true,
  editable: {
    found: objects.map(({ objectClass, box, score }, id) => ({
      id,
      detection: found(objectClass, box, score),
    })),
    searched: SETTINGS.classes,
    appliedEdits: { settings: SETTINGS, edits: NO_ITEM_EDITS },
  },
});

/** A result of a video with one face in each of these time ranges. */
export const videoResultWith = (taskId: string, spans: readonly SeenSpan[]): MediaResult => ({
  taskId,
  ...ITEM_SIZE,
  objects: spans.map((seen, id) => ({
    ...{ id, objectClass: 'face', score: 0.9, seen },
    ...{ x: 10, y: 10, width: 20, height: 20 },
  })),
  durationS: 1,
  hasImage: true,
  video: {
    frameCount: 100,
    framesLost: 0,
    isLossUncertain: false,
    audioTracksReencoded: 0,
    audioTracksDropped: 0,
    appliedEdits: NO_ITEM_EDITS,
    followed: [],
  },
});

const file = (name: string): File => new File([], name);

/** A state with files of these names, done if they have a result. */
export const stateWith = (results: Readonly<Record<string, MediaResult | null>>): AppState => {
  const names = Object.keys(results);
  const events: AppEvent[] = [
    { type: 'added', files: names.map((name) => ({ id: name, file: file(name) })) },
    ...Object.entries(results).flatMap(([id, result]): AppEvent[] =>
      result
        ? [
            { type: 'started', id },
            { type: 'finished', id, result },
          ]
        : [],
    ),
  ];
  return events.reduce(reduceApp, emptyState(SETTINGS));
};
