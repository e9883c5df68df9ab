import type { EngineMethods, RenderResult } from '../../ports/engine';
import { editFrame } from '../edits/edit-frame';
import { mutedPartOf } from '../../domain/edits/edits';
import { isShown, toUs } from '../edits/edit-range';
import { followDrawn } from '../edits/follow-drawn';
import { planAreas, withAreas } from '../edits/hidden-areas';
import { labelPlan } from '../redact/draw-plan';
import {
  type FramePlanner,
  type RedactVideoPorts,
  type SettledFrame,
  decodedFrames,
  processedRange,
  redactVideo,
} from './redact-video';
import { readPlans } from './stored-plans';
import { withTiling } from './video-tiling';
import type { PlannedRegion, ShownFrames } from '../../domain/plan';

/** Records in which frames tracks are visible. */
const createShownLog = () => {
  const all: ShownFrames[] = [];
  const open = new Map<number, ShownFrames>();
  return {
    /** @param index of the frame; frames in order @param visible ids of tracks */
    add: (index: number, visible: readonly (number | undefined)[]): void => {
      const ids = new Set(visible);
      for (const [trackId, run] of open) {
        if (ids.has(trackId)) continue;
        all.push(run);
        open.delete(trackId);
      }
      for (const trackId of ids) {
        if (trackId === undefined) continue;
        const firstFrame = open.get(trackId)?.firstFrame ?? index;
        open.set(trackId, { trackId, firstFrame, lastFrame: index });
      }
    },
    shown: (): readonly ShownFrames[] => [...all, ...open.values()],
  };
};

/** Says of each item whether it is the last. */
async function* withLast<T>(items: AsyncIterable<T>): AsyncGenerator<readonly [item: T, isLast: boolean]> {
  let held: [T] | undefined;
  for await (const item of items) {
    if (held) yield [held[0], false];
    held = [item];
  }
  if (held) yield [held[0], true];
}

/**
 * Renders a video again: each frame hides what its first run found, but for tracks that a user wants to see, and what
 * a user has drawn. Nothing is searched, so that it takes as long as decoding and encoding do.
 *
 * @throws where a frame has no plan of its own
 */
export const renderVideo = async (
  [job, files, onProgress, signal]: Parameters<EngineMethods['renderVideo']>,
  ports: RedactVideoPorts,
): Promise<RenderResult> => {
  const plans = readPlans(files);
  const { objects = [], areas: drawnAreas, mute = [], audio } = job.edits;
  const [byEdits, bySubject] = [createShownLog(), createShownLog()];
  let drawn = followDrawn([]);
  const planner: FramePlanner<SettledFrame> = {
    async *frames(reader, run) {
      const tiled = withTiling(job, reader);
      drawn = followDrawn(drawnAreas, tiled.options.format.kind === 'pano');
      const areas = planAreas(job.edits.hides ? job.edits : job.options, reader);
      for await (const [frame, isLast] of withLast(decodedFrames(reader, run, processedRange(job)))) {
        const { regions } = await plans.of(frame);
        const [places] = await run.timed('follow', () => drawn.step(frame, isLast));
        byEdits.add(
          frame.index,
          objects.filter((edit) => isShown(edit, frame)).map(({ id }) => id),
        );
        yield [
          {
            frame,
            plan: () =>
              labelPlan(
                withAreas(editFrame(frame, { regions, places }, tiled), areas, frame),
                job.options,
                job.edits,
              ),
          },
        ];
      }
      await plans.end();
    },
    onWritten: async ({ frame }, { regions }: { readonly regions: readonly PlannedRegion[] }) =>
      bySubject.add(
        frame.index,
        regions.map(({ trackId, shown }) => (shown === undefined ? undefined : trackId)),
      ),
  };
  const mutedRanges = mute.map((range) => {
    const { start, end, as } = mutedPartOf(range);
    return { fromUs: toUs(start), untilUs: toUs(end), ...(as === 'bleep' && { as }) };
  });
  // Parts of audio that is removed are silent anyway.
  const output = audio === 'mute' || mute.length === 0 ? job : { ...job, mutedRanges };
  const result = await redactVideo({ output, files, planner, onProgress }, ports, signal);
  return { ...result, followed: drawn.followed(), shown: [...byEdits.shown(), ...bySubject.shown()] };
};
