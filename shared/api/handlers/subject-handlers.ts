import { MIN_SAMPLE_PX, type Embedding, type Sample, type Subject } from '../../domain/subject';
import { UnreadableFile } from '../../domain/failure';
import type { SubjectStore } from '../../ports/storage';
import { isoTime } from '../../tasks/base/iso-time';
import { ApiError, errorOfFailure } from '../contract/errors';
import { FILE_PART } from '../contract/routes';
import type { SubjectResponse } from '../contract/schemas-tasks';
import type { UploadPart } from '../http/http';
import { quoted } from '../http/query';
import type { ApiService, Handler } from './service';
import { success } from './task-handlers';
import { findSubject, requireSubjects } from './find-task';

const subjectResponse = ({ id, createdAtMs, embeddings }: Subject): SubjectResponse => ({
  id,
  created_at: isoTime(createdAtMs),
  photos: embeddings.length,
});

/** The parts with photos. @throws ApiError 413, 422 */
const photosOf = (
  parts: readonly UploadPart[],
  { settings: { limits } }: ApiService,
): readonly UploadPart[] => {
  const photos = parts.filter(({ name, filename }) => filename !== null || name === FILE_PART);
  if (photos.length === 0) throw new ApiError('no_photo', limits.maxSubjectPhotos);
  if (photos.length > limits.maxSubjectPhotos) {
    throw new ApiError('too_many_photos', photos.length, limits.maxSubjectPhotos);
  }
  for (const { name, file } of photos) {
    if (name !== FILE_PART) throw new ApiError('wrong_part_name', quoted(name));
    if (file.sizeBytes === 0) throw new ApiError('empty_file');
    if (file.sizeBytes > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  }
  return photos;
};

/** @param photo counted from 1 @throws ApiError 422 */
const embeddingOf = (sample: Sample, photo: number): Embedding => {
  switch (sample.kind) {
    case 'face':
      return sample.embedding;
    case 'no-face':
      throw new ApiError('photo_without_face', photo);
    case 'several-faces':
      throw new ApiError('photo_with_faces', photo, sample.faces);
    case 'small-face':
      throw new ApiError('photo_of_small_face', photo, sample.sidePx, MIN_SAMPLE_PX);
    case 'turned-face':
      throw new ApiError('photo_of_turned_face', photo);
  }
};

/** One photo after the other, so that they need no more memory than one upload. @throws ApiError 422 */
const embedAll = async (
  photos: readonly UploadPart[],
  { engine, settings, inspections }: ApiService,
  signal: AbortSignal,
): Promise<readonly Embedding[]> => {
  const embeddings: Embedding[] = [];
  for (const [i, { file }] of photos.entries()) {
    const sample = await inspections
      .run(
        () => engine.retrying(() => engine.embedSample(file.source, settings.limits, signal), signal),
        file.sizeBytes,
      )
      .catch((error: unknown) => {
        throw error instanceof Error && error.name === 'UnreadableFile' ? unreadable(error) : error;
      });
    embeddings.push(embeddingOf(sample, i + 1));
  }
  return embeddings;
};

const unreadable = (error: Error): ApiError =>
  errorOfFailure(
    error instanceof UnreadableFile ? error.failure : { kind: 'bad-file', sentence: error.message },
  );

/** Photos are never kept: only their embeddings are, if all of them show one face. */
const createFrom = async (
  parts: readonly UploadPart[],
  subjects: SubjectStore,
  service: ApiService,
  signal: AbortSignal,
): Promise<Subject> => {
  try {
    const embeddings = await embedAll(photosOf(parts, service), service, signal);
    const { system } = service;
    const subject = { id: system.newId(), createdAtMs: system.nowMs(), embeddings };
    await subjects.put(subject);
    return subject;
  } finally {
    for (const { file } of parts) await file.discard();
  }
};

/** `POST /v1/subjects` */
export const createSubject: Handler<'createSubject'> = async ({ request, service }) => {
  const subjects = requireSubjects(service);
  if (service.tasks.isStopping()) throw new ApiError('stopping');
  const parts = await request.receiveUpload({ withDigest: false });
  return { value: subjectResponse(await createFrom(parts, subjects, service, request.signal)) };
};

/** `GET /v1/subjects` */
export const listSubjects: Handler<'listSubjects'> = async ({ service }) => ({
  value: (await requireSubjects(service).list()).map(subjectResponse),
});

/** `GET /v1/subjects/{id}` */
export const getSubject: Handler<'getSubject'> = async ({ id, service }) => ({
  value: subjectResponse(await findSubject(service, id)),
});

/** `DELETE /v1/subjects/{id}` */
export const deleteSubject: Handler<'deleteSubject'> = async ({ id, service }) => {
  const { id: found } = await findSubject(service, id);
  if (!(await requireSubjects(service).remove(found))) throw new ApiError('unknown_subject');
  return { value: success('The subject and its biometric data were deleted.') };
};
