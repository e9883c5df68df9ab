import type { ShownTrack, Subject } from '../../domain/subject';
import { editedSubject, requireSubject } from '../subjects/subjects';
import { withAppliedEdits } from '../../domain/image-header';
import type { Task, VideoTask } from '../../domain/task';
import { changesHiding, hidingOf, type Edits } from '../../domain/edits/edits';
import { isConfirmed } from '../../engine/edits/edit-range';
import { workDone } from '../../engine/video/video-source';
import {
  anonymisedVideoKey,
  openVideoSource,
  readFramePlans,
  readVideoResult,
  removeReplacedVideo,
  writeVideoResult,
  type StoredVideoResult,
} from '../files/video-files';
import { nextPrefix } from '../files/task-files';
import type { EditPorts } from './edit-image';
import { keepsMetadata } from '../base/settings';
import { appliedEditsOf, isUpToDate, writeAppliedEdits } from './wanted-edits';

/** What edits say of a result, instead of what earlier edits said of it. */
const factsOfEdits = (
  edits: Edits,
  { options }: Task,
  {
    shownSubject,
    kept,
    encodedAudio,
  }: { readonly [Name in 'shownSubject' | 'kept' | 'encodedAudio']: StoredVideoResult[Name] | undefined },
): Partial<StoredVideoResult> => {
  const confirmed = (edits.objects ?? []).filter(isConfirmed);
  const confirmedTracks = confirmed.map(({ id }) => id);
  const changedTracks = confirmed.filter(({ bbox, type_label }) => (bbox ?? type_label) !== undefined);
  return {
    ...(changesHiding(edits) && { hiding: hidingOf(edits, options) }),
    ...(confirmedTracks.length > 0 && { confirmedTracks }),
    ...(changedTracks.length > 0 && { changedTracks }),
    ...{ ...(shownSubject && { shownSubject }), ...(kept && { kept }) },
    ...(encodedAudio && { encodedAudio }),
  };
};

const withoutFactsOfEdits = (before: StoredVideoResult): StoredVideoResult => {
  const {
    hiding: _hiding,
    confirmedTracks: _confirmed,
    changedTracks: _changed,
    shownSubject: _subject,
    kept: _kept,
    encodedAudio: _encoded,
    ...rest
  } = before;
  return rest;
};

/** The subject with its tracks, which are searched unless the result before has them. */
const withTracks = async (
  subject: Subject | undefined,
  before: StoredVideoResult,
  search: (samples: Subject['embeddings']) => Promise<readonly ShownTrack[]>,
): Promise<StoredVideoResult['shownSubject']> => {
  if (!subject || subject.id === before.shownSubject?.id) return subject && before.shownSubject;
  return { id: subject.id, tracks: await search(subject.embeddings) };
};

/** How the first run wrote it. */
const asBefore = ({ keepBitRate, preview }: VideoTask): Pick<VideoTask, 'keepBitRate' | 'preview'> => ({
  keepBitRate,
  ...(preview !== undefined && { preview }),
});

/**
 * Replaces a video's result by one with these edits. No detector runs: all frames are rendered by the plans of the first run.
 *
 * @returns false where there is no such result (any more)
 */
export const editVideo = async (id: string, edits: Edits, editPorts: EditPorts): Promise<boolean> => {
  const { ports, settings, onProgress, signal } = editPorts;
  const { engine, storage, system, subjects, taskStore } = ports;
  const { limits } = settings;
  const find = async (): Promise<Task | undefined> => {
    const task = await taskStore.get(id);
    return task?.status === 'done' ? task : undefined;
  };
  const [task, before] = await Promise.all([find(), readVideoResult(storage, id)]);
  if (!task?.video || !before?.anonymised) return false;
  if (await isUpToDate(ports, task, before, edits)) return true;
  const { options, video } = task;
  const source = await openVideoSource(storage, task);
  const plans = (part: number) => readFramePlans(storage, id, part);
  const subject = await editedSubject(edits.show, task, subjects);
  const shownSubject = await withTracks(subject, before, (samples) =>
    engine.matchTracks({ samples, limits }, { source, plans }, signal),
  );
  const filePrefix = nextPrefix(before);
  const target = await storage.create(anonymisedVideoKey(id, filePrefix));
  try {
    const { followed, shown, kept, encodedAudio } = await engine.renderVideo(
      {
        options,
        ...asBefore(video),
        audio: edits.audio ?? video.audio,
        ...{ limits, edits },
        keepMetadata: keepsMetadata(task, settings, edits),
        shownTracks: shownSubject?.tracks ?? [],
      },
      { source, target, plans },
      (progress) => onProgress(workDone(progress)),
      signal,
    );
    signal.throwIfAborted();
    if (!(await find())) return false;
    if (subject) await requireSubject(subjects, subject.id); // deleted in the meantime
    await target.commit();
    await writeAppliedEdits(storage, id, filePrefix, edits);
    await writeVideoResult({ storage, system }, id, {
      ...withoutFactsOfEdits(before),
      ...{ shown, followed },
      ...factsOfEdits(edits, task, { shownSubject, kept, encodedAudio }),
      revision: (before.revision ?? 0) + 1,
      appliedEdits: withAppliedEdits(before.appliedEdits, appliedEditsOf(edits, system)),
      filePrefix,
    });
    await removeReplacedVideo(storage, id, before);
    return true;
  } finally {
    await target.discard();
  }
};
