import { hides } from '../../catalogue/methods';
import type { ShownFace, Subject } from '../../domain/subject';
import { editedSubject, requireSubject } from '../subjects/subjects';
import type { ComparedImage } from '../subjects/show-in-image';
import { withAppliedEdits } from '../../domain/image-header';
import type { Edits } from '../../domain/edits/edits';
import type { RedactionPlan } from '../../domain/plan';
import { editPlan, candidatesWithoutMask, numberDetections } from '../../engine/edits/edit-plan';
import { labelPlan } from '../../engine/redact/draw-plan';
import { reportPlan } from '../../engine/redact/report';
import { type ServiceSettings, type TaskPorts, encodingOf, keepsMetadata } from '../base/settings';
import { openSource } from '../base/digest';
import {
  nextPrefix,
  readFirstPlan,
  readStoredResult,
  replaceResult,
  sourceKey,
  writeFirstPlan,
} from '../files/task-files';
import { appliedEditsOf, isUpToDate, writeAppliedEdits } from './wanted-edits';

/** What applying edits takes. */
export interface EditPorts {
  readonly ports: Pick<TaskPorts, 'engine' | 'storage' | 'system' | 'subjects'> & {
    readonly taskStore: Pick<TaskPorts['taskStore'], 'get'>;
  };
  readonly settings: Pick<ServiceSettings, 'limits' | 'keepMetadata'>;
  /** @param progress 0..1 */
  readonly onProgress: (progress: number) => void;
  readonly signal: AbortSignal;
}

/** A result with everything that edits need; undefined if a part of it was deleted. */
const readEditable = async (id: string, { storage, taskStore }: EditPorts['ports']) => {
  const [before, found, task] = await Promise.all([
    readStoredResult(storage, id),
    readFirstPlan(storage, id),
    taskStore.get(id),
  ]);
  const source = before && (await openSource(storage, sourceKey(id, before.header.format)));
  return before && found && task && source ? { before, found, task, source } : undefined;
};

type Editable = NonNullable<Awaited<ReturnType<typeof readEditable>>>;

/** Outlines candidates that the edits hide, so that they are hidden as if their score reached the threshold. */
const withOutlines = async (
  { task, before, found: first, source }: Editable,
  edits: Edits,
  { ports: { engine, storage }, signal }: EditPorts,
): Promise<RedactionPlan> => {
  const wanted = candidatesWithoutMask(first, edits, task.options);
  if (wanted.length === 0) return first;
  const objects = wanted.map(({ detection }) => detection);
  const outlines = await engine.outlineObjects(source, objects, before.header, signal);
  const byNumber = wanted.map((object, i) => [object.id, outlines[i] ?? null]);
  const outlined = {
    ...first,
    candidateOutlines: { ...first.candidateOutlines, ...Object.fromEntries(byNumber) },
  };
  await writeFirstPlan(storage, task.id, outlined);
  return outlined;
};

/** Loaded where somebody stays visible. */
const findFaces = async (
  subject: Subject,
  compared: ComparedImage,
  { ports: { engine }, signal }: EditPorts,
): Promise<readonly ShownFace[]> =>
  (await import('../subjects/show-in-image')).findShownFaces(subject, compared, engine, signal);

/** The plan with the areas that edits always hide. Their code is loaded only with them: most edits name none. */
const withEditedAreas = async (plan: RedactionPlan, { hides }: Edits): Promise<RedactionPlan> => {
  if (!hides) return plan;
  const { areas: _ofUpload, ...others } = plan;
  if (hides.length === 0) return others;
  const { planAreas, withAreas } = await import('../../engine/edits/hidden-areas');
  return withAreas(others, planAreas({ hides }, plan));
};

const OUTLINED_PROGRESS = 0.4;

/**
 * Replaces an image's result by one with these edits. No detector runs: they start from the first plan, so that each can be
 * taken back.
 *
 * @returns false where there is no such result (any more)
 */
export const editImage = async (id: string, edits: Edits, editPorts: EditPorts): Promise<boolean> => {
  const { ports, settings, onProgress, signal } = editPorts;
  const { engine, storage, system, subjects, taskStore } = ports;
  const stored = await readEditable(id, ports);
  if (!stored) return false;
  const { before, task, source } = stored;
  const { header } = before;
  if (await isUpToDate(ports, task, before, edits)) return true;
  const first = await withOutlines(stored, edits, editPorts);
  onProgress(OUTLINED_PROGRESS);
  signal.throwIfAborted();
  const subject = await editedSubject(edits.show, task, subjects);
  const faces = subject
    ? await findFaces(subject, { source, header, found: numberDetections(first) }, editPorts)
    : [];
  const edited = await withEditedAreas(editPlan(first, edits, task.options, faces), edits);
  const plan = await labelPlan(edited, task.options, edits);
  const keepMetadata = keepsMetadata(task, settings, edits);
  const encoding = encodingOf(before.format, task.options);
  const anonymised = hides(plan.method)
    ? await engine.renderImage({ source, header, plan, encoding, keepMetadata }, signal)
    : null;
  signal.throwIfAborted();
  if ((await taskStore.get(id))?.status !== 'done') return false;
  if (subject) await requireSubject(subjects, subject.id); // deleted in the meantime
  const filePrefix = nextPrefix(before);
  const result = {
    ...before,
    report: reportPlan(plan, before.report.durationS),
    anonymised: anonymised !== null,
    revision: (before.revision ?? 0) + 1,
    keepMetadata,
    appliedEdits: withAppliedEdits(before.appliedEdits, appliedEditsOf(edits, system)),
    filePrefix,
  };
  await writeAppliedEdits(storage, id, filePrefix, edits);
  await replaceResult({ storage, system }, id, before, { stored: result, anonymised, plan });
  return true;
};
