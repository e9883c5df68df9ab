import {
  withoutFrameTimes,
  type Edits as CheckedEdits,
  type NumberedDetection,
} from '../../../domain/edits/edits';
import { toBbox } from '../../../domain/boxes';
import { CLASSES } from '../../../catalogue/classes';
import { thresholdIn } from '../../../domain/options';
import type { Size } from '../../../domain/raster';
import { SUBJECT_GONE } from '../../../domain/subject';
import type { EditOutcome, VideoBase } from '../../../tasks/edits/task-edits';
import { ApiError } from '../../contract/errors';
import { uploadResponse, success } from '../task-handlers';
import {
  type CandidatesResponse,
  Edits,
  type EditsBody,
  type StoppedEditsResponse,
} from '../../contract/schemas-edits';
import { mayChange } from '../../http/if-match';
import { entityTag } from '../../http/respond';
import { findTask, findEditable, requireShown } from '../find-task';
import type { ApiService, Handler } from '../service';
import { wantsAsync } from '../../http/query';

/** `GET /v1/task/{id}/edits` */
export const getEdits: Handler<'getEdits'> = async ({ id, service }) => {
  const { task, base } = await findEditable(service, id);
  const { body, tag } = await service.tasks.edits.inForce(base, task.id);
  const followed = base.kind === 'video' ? { followed: base.result.followed ?? [] } : {};
  return { value: { ...withoutFrameTimes(body), ...followed }, headers: { etag: entityTag(tag) } };
};

const requireApplied = (outcome: EditOutcome): void => {
  switch (outcome.kind) {
    case 'applied':
      return;
    case 'failed':
      // Only the sentence of failed edits is stored.
      if (outcome.sentence === SUBJECT_GONE) throw new ApiError('subject_gone', outcome.sentence);
      throw new ApiError('edit_failed', outcome.sentence);
    case 'stopped':
      throw new ApiError('edit_stopped');
    case 'deleted':
      throw new ApiError('deleted_meanwhile');
    case 'put-off':
      throw new ApiError('put_off');
  }
};

/** The code of areas that are always hidden is loaded only with them: most edits name none. @throws ApiError 422 */
const requireHides = async ({ hides }: EditsBody, size: Size): Promise<void> => {
  if (hides?.length) (await import('../check-hides')).checkEditedHides(hides, size);
};

/** See `withTimes`, which reads the frames as the first run found them. */
const timed = async (
  edits: CheckedEdits,
  id: string,
  { result: { filePrefix: _edited, shown: _too, ...first } }: VideoBase,
  { tasks }: ApiService,
): Promise<CheckedEdits> => {
  const { withTimes } = await import('./with-times');
  return withTimes(edits, first.report.frameCount, (from, to) => tasks.frames(id, from, to, first));
};

/** `PUT /v1/task/{id}/edits` */
export const putEdits: Handler<'putEdits'> = async ({ id, request, service }) => {
  const isAsync = wantsAsync(request);
  if (service.tasks.isStopping()) throw new ApiError('stopping');
  const editable = await findEditable(service, id);
  const body = await request.readBody(Edits, service.settings.limits.maxJsonBytes);
  await requireShown(service, body.show);
  const { task, base } = editable;
  // Loaded with the first edits: the first load of a page must stay small.
  const { checkEdits } = await import('./check-edits');
  const checked = checkEdits(body, editable);
  await requireHides(body, base.result.report);
  const edits = base.kind === 'video' ? await timed(checked, task.id, base, service) : checked;
  const accepted = await service.tasks.edits.submit(task, base, edits, mayChange(request));
  if (!accepted) throw new ApiError('edits_changed');
  if (!isAsync) requireApplied(await accepted.outcome);
  return { value: uploadResponse(task, service.settings.baseUrl) };
};

/** `DELETE /v1/task/{id}/edits` */
export const stopEdits: Handler<'stopEdits'> = async ({ id, request, service }) => {
  const { task, base } = await findEditable(service, id);
  const ended = await service.tasks.edits.stopEdits(task, base, mayChange(request));
  if (!ended) throw new ApiError('edits_changed');
  const { wereStopped: stopped } = ended;
  const message = stopped ? 'The edits were stopped.' : 'No edits wait or run.';
  const value: StoppedEditsResponse = { ...success(message), stopped };
  return { value };
};

const candidate = ({ id, detection }: NumberedDetection): CandidatesResponse['candidates'][number] => ({
  id,
  type: CLASSES[detection.objectClass].typeCode,
  type_label: detection.objectClass,
  score: detection.score,
  bbox: toBbox(detection.box),
});

/** `GET /v1/task/{id}/candidates` */
export const getCandidates: Handler<'getCandidates'> = async ({ id, service }) => {
  const found = await findTask(service, id);
  if (found.kind === 'video') throw new ApiError('no_candidates_of_video');
  const { task, base } = await findEditable(service, id);
  if (base.kind !== 'image') throw new Error('an image task has the result of a video');
  const { classes, thresholds } = task.options;
  const { plan, result } = base;
  const value: CandidatesResponse = {
    lowest_score: Math.min(result.candidateFloor, ...classes.map((one) => thresholdIn(thresholds, one))),
    classes: [...classes],
    size: [plan.width, plan.height],
    spared_memory: result.sparedMemory === true,
    candidates: base.found.map(candidate),
  };
  return { value };
};
