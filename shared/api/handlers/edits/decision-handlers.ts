import type { ObjectDecision } from '../../../domain/decision';
import { US_PER_SECOND } from '../../../domain/plan';
import { isoTime } from '../../../tasks/base/iso-time';
import type { ImageBase, VideoBase } from '../../../tasks/edits/task-edits';
import { ApiError } from '../../contract/errors';
import { Decisions, type DecisionsResponse } from '../../contract/schemas-edits';
import type { Handler } from '../service';
import { success } from '../task-handlers';
import { findEditable } from '../find-task';
import { requireBox } from './check-edits';

/** `GET /v1/task/{id}/decisions` */
export const getDecisions: Handler<'getDecisions'> = async ({ id, service }) => {
  const { task } = await findEditable(service, id);
  return { value: { decisions: [...(task.decisions ?? [])] } satisfies DecisionsResponse };
};

/**
 * Numbers of tracks are not checked: they are in the reports of all frames, which would be read with each decision.
 *
 * @throws ApiError 422
 */
const checkDecision = (
  { decision, type_label, id, bbox, time }: Decisions['decisions'][number],
  name: string,
  base: ImageBase | VideoBase,
): ObjectDecision => {
  if (id === undefined && !bbox) throw new ApiError('missing_field', `${name}.bbox`);
  if (base.kind === 'image') {
    if (time !== undefined) throw new ApiError('only_in_videos', `${name}.time`);
    const isKnown = id === undefined || base.found.some((one) => one.id === id);
    if (!isKnown) throw new ApiError('unknown_object', `${name}.id`, id);
  }
  if (bbox) requireBox(`${name}.bbox`, bbox, base.result.report);
  return {
    ...{ decision, type_label },
    ...(id !== undefined && { id }),
    ...(bbox && { bbox }),
    ...(time !== undefined && { time: Math.round(time * US_PER_SECOND) / US_PER_SECOND }),
  };
};

/** `PUT /v1/task/{id}/decisions` */
export const putDecisions: Handler<'putDecisions'> = async ({ id, request, service }) => {
  if (service.tasks.isStopping()) throw new ApiError('stopping');
  const { task, base } = await findEditable(service, id);
  const { decisions, reviewer } = await request.readBody(Decisions, service.settings.limits.maxJsonBytes);
  const record = { at: isoTime(service.system.nowMs()), ...(reviewer !== undefined && { reviewer }) };
  await service.tasks.decide(
    task.id,
    decisions.map((one, i) => ({ ...checkDecision(one, `decisions[${i}]`, base), ...record })),
  );
  return { value: success('The decisions are recorded.') };
};
