import type { RenderFiles } from '../../ports/engine';
import type { VideoFrame } from '../../ports/video';
import type { FramePlan } from '../../domain/plan';

/** The video was decoded into other frames than those that were planned. */
export class PlansDiffer extends Error {
  override readonly name = 'PlansDiffer';
}

/** Times are stored as decimals. */
const SAME_TIME_US = 1;

/** Gives the first run's plans frame by frame: one part of them is in memory at a time. */
export const readPlans = (files: Pick<RenderFiles, 'plans'>) => {
  let part = 0;
  let waiting: FramePlan[] = [];
  const next = async (): Promise<FramePlan | undefined> => {
    if (waiting.length === 0) waiting = [...((await files.plans(part++)) ?? [])].reverse();
    return waiting.pop();
  };
  return {
    /** @throws PlansDiffer where the first run saw another frame here: it must not pass unredacted */
    of: async ({ index, timestampUs }: VideoFrame): Promise<FramePlan> => {
      const plan = await next();
      if (plan?.index === index && Math.abs(plan.timestampUs - timestampUs) <= SAME_TIME_US) return plan;
      throw new PlansDiffer(`frame ${index} has no plan: it was decoded otherwise at first`);
    },
    /** @throws PlansDiffer where the first run saw more frames */
    end: async (): Promise<void> => {
      if (await next()) throw new PlansDiffer('there are plans of frames that were not decoded again');
    },
  };
};
