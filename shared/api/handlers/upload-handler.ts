import { videoOptions, type UploadQuery, type VideoOptions } from '../../catalogue/derive-parameters';
import { UnreadableFile } from '../../domain/failure';
import {
  type Admit,
  type GivenFile,
  type ServiceLoad,
  type ReadMedia,
  KeyReused,
} from '../../tasks/accept/accept-upload';
import type { Outcome } from '../../tasks/run/outcome';
import { ApiError, errorOfFailure } from '../contract/errors';
import { headerText, type HandlerRequest, type ReceiveOptions, type UploadPart } from '../http/http';
import { imageOptions } from './image-options';
import { uprightSize } from '../../domain/image-header';
import { readsText, type ImageOptions } from '../../domain/options';
import { requireStitched } from '../../domain/projection';
import { LIMITS, type Limits } from '../../domain/limits';
import { uploadResponse } from './task-handlers';
import { badParameter, quoted, wantsAsync, invalidValueError } from '../http/query';
import type { ApiService, Handler } from './service';
import { requireShown } from './find-task';
import { FORMATS, isVideoFormat, type Format } from '../../catalogue/formats';
import {
  recogniseFormat,
  requireResultFormat,
  requireSupport,
  unsupportedFile,
} from '../../engine/formats/recognise';
import type { ReceivedFile } from '../../ports/storage';
import { sanitiseFilename } from '../http/filename';
import { DETECTIONS_PART, FILE_PART } from '../contract/routes';
import type { WebhookTarget } from '../../domain/webhook';
import { uploadSchema } from '../contract/schemas-upload';

/** An upload that can be worked on. */
type ReceivedMedia = ReadMedia & {
  readonly file: ReceivedFile;
  readonly filename: string;
  /** What others have detected in it, not checked yet. */
  readonly part?: UploadPart;
};

/** Form fields next to the file are no concern of ours; clients send `fileobject` without a file name, too. */
const isFile = ({ name, filename }: UploadPart): boolean => filename !== null || name === FILE_PART;

const onlyFile = (parts: readonly UploadPart[]): UploadPart => {
  const files = parts.filter((part) => isFile(part) && part.name !== DETECTIONS_PART);
  const [part] = files;
  if (!part) throw new ApiError('no_file');
  if (files.length > 1) throw new ApiError('several_files', files.length);
  if (part.name !== FILE_PART) throw new ApiError('wrong_part_name', quoted(part.name));
  return part;
};

const onlyDetections = (parts: readonly UploadPart[]): UploadPart | undefined => {
  const [part, ...others] = parts.filter(({ name }) => name === DETECTIONS_PART);
  if (others.length > 0) throw new ApiError('several_detections', others.length + 1);
  return part;
};

const checkSize = (sizeBytes: number, { maxUploadBytes }: Limits): void => {
  if (sizeBytes === 0) throw new ApiError('empty_file');
  if (sizeBytes > maxUploadBytes) throw new ApiError('upload_too_large', maxUploadBytes);
};

/**
 * The format of a file and the header of an image, by its content: its first bytes, and for an image all of them.
 *
 * An image is read once here, because only its end proves that it is complete, and again when its task begins: a queued
 * task must not hold an image in memory. The rest of a video is checked when it is processed.
 *
 * @throws ApiError `image_too_large`
 * @throws UnreadableFile
 */
const readFormat = async (
  file: ReceivedFile,
  { tasks, engine, settings: { limits }, inspections }: ApiService,
): Promise<ReadMedia> => {
  const head = await file.head();
  const format = recogniseFormat(head);
  if (format && isVideoFormat(format)) {
    requireSupport(format, tasks);
    return { format };
  }
  if (file.sizeBytes > limits.maxImageBytes) throw new ApiError('image_too_large', limits.maxImageBytes);
  if (!format) throw unsupportedFile(head);
  return inspections.run(async () => {
    const header = await engine.inspectImage(file.source, limits);
    return { format: header.format, header };
  }, file.sizeBytes);
};

const defaultName = (format: Format): string =>
  `${isVideoFormat(format) ? 'video' : 'image'}.${FORMATS[format].extensions[0]}`;

/**
 * Receives an upload and recognises its format by its content; the client's type is not used, and its file name only to
 * refuse files of 360° cameras that are not stitched.
 *
 * Refused uploads are discarded, all parts of them.
 *
 * @throws ApiError 413, 422
 * @throws UnreadableFile
 */
export const receiveMedia = async (
  request: Pick<HandlerRequest, 'receiveUpload'>,
  service: ApiService,
  options: ReceiveOptions,
): Promise<ReceivedMedia> => {
  const parts = await request.receiveUpload(options);
  try {
    const { file, filename } = onlyFile(parts);
    const part = onlyDetections(parts);
    for (const other of parts) if (other.file !== file && other !== part) await other.file.discard();
    checkSize(file.sizeBytes, service.settings.limits);
    requireStitched(filename ?? '');
    const media = await readFormat(file, service);
    const name = sanitiseFilename(filename, defaultName(media.format));
    return { ...media, file, filename: name, ...(part && { part }) };
  } catch (error) {
    for (const { file } of parts) await file.discard();
    throw error;
  }
};

/**
 * Headers that say how a request is framed or routed, and those the notification has itself.
 *
 * A client that could set them would write the request that goes out in our name, not a credential next to it.
 */
const OWN_HEADERS =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent|via|forwarded|(content|proxy|webhook|x-forwarded)-.*)$/i;

const parseUrl = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    throw invalidValueError('webhook', uploadSchema.properties.webhook, text);
  }
};

const headerOf = ({
  'webhook-auth-header-name': name,
  'webhook-auth-header-value': value,
}: Partial<UploadQuery>): WebhookTarget['header'] => {
  if (name === undefined && value === undefined) return null;
  if (name === undefined || value === undefined) throw new ApiError('webhook_header_incomplete');
  return { name, value };
};

/**
 * Whom an upload wants to be called; null: nobody.
 *
 * @throws ApiError 422
 */
const webhookTarget = (
  given: Partial<UploadQuery>,
  { webhookSender }: Pick<ApiService, 'webhookSender'>,
): WebhookTarget | null => {
  const name = given['webhook-auth-header-name'];
  if (name !== undefined && OWN_HEADERS.test(name)) {
    throw new ApiError('webhook_header_refused', quoted(name));
  }
  if (given.webhook === undefined) return null;
  const header = headerOf(given);
  const { href, username, password } = parseUrl(given.webhook);
  if (username !== '' || password !== '') throw new ApiError('webhook_with_credentials');
  if (!webhookSender) throw new ApiError('webhook_not_offered');
  if (!webhookSender.mayCall(href)) throw new ApiError('webhook_address_refused');
  return { url: href, header };
};

const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/**
 * An empty key is refused, not taken for none: Chromium empties a value that is not UTF-8 on its way to a service
 * worker, and a repeated upload would be done twice.
 */
const idempotencyKeyOf = ({ headers }: HandlerRequest): string | undefined => {
  const value = headers[IDEMPOTENCY_HEADER.toLowerCase()];
  if (value === undefined) return undefined;
  const key = headerText(value);
  const isPrintable = /^[\x20-\x7e]+$/.test(key);
  if (!isPrintable || key.length > LIMITS.maxIdempotencyKeyChars) {
    const allowed = `1 to ${LIMITS.maxIdempotencyKeyChars} printable ASCII characters`;
    throw badParameter(IDEMPOTENCY_HEADER, allowed, key);
  }
  return key;
};

const refuseWhenUnable = (
  { tasks, settings }: ApiService,
  isAsync: boolean,
  { isBusy, isFull }: ServiceLoad,
): void => {
  if (tasks.isStopping()) throw new ApiError('stopping');
  if (!isAsync && settings.syncWhenBusy === 'refuse' && isBusy) throw new ApiError('busy');
  if (isFull) throw new ApiError('queue_full');
};

const refuseUnknown = ([name]: readonly string[], { settings }: ApiService): void => {
  if (name !== undefined && settings.strictParameters) {
    throw new ApiError('unknown_parameter', quoted(name));
  }
};

/**
 * Refuses, before its task, an image whose result is wanted in a format that the host does not write, or hidden in areas
 * that it does not have, and detections of another file.
 *
 * @returns the checked detections; undefined: it is searched
 */
const checkMedia = async (
  media: ReceivedMedia,
  options: ImageOptions,
  video: VideoOptions,
  { service, signal }: { readonly service: ApiService; readonly signal: AbortSignal },
): Promise<GivenFile | undefined> => {
  const { header, file, part } = media;
  const { resultFormat: wanted, hides } = options;
  try {
    if (header) requireResultFormat({ header, wanted }, service.engine);
    if (header && hides) {
      const { requireInside } = await import('../../domain/hidden-areas');
      requireInside(hides, uprightSize(header));
    }
    if (!header && readsText(options)) {
      (await import('../../engine/reading/choose-lines')).requireUnread(options);
    }
    if (!part) return undefined;
    // Loaded only where it is needed: most files are searched.
    const { checkGiven } = await import('./given-detections');
    return await checkGiven({ part, media, options, video, signal }, service);
  } catch (error) {
    await file.discard();
    await part?.file.discard();
    throw error;
  }
};

/** The code of areas and of text that is read is loaded only with them: most uploads have neither. */
const optionsOf: (...given: Parameters<typeof imageOptions>) => Promise<ImageOptions> = async (
  given,
  settings,
) => {
  if ((given.hides ?? given['text-match'] ?? given['text-keep']) === undefined) {
    return imageOptions(given, settings);
  }
  const { optionsWithAreas } = await import('./options-with-areas');
  return optionsWithAreas(given, settings);
};

/** What a client is told of an upload that is not accepted. */
const asRefusal = (error: unknown): unknown => {
  if (error instanceof UnreadableFile) return errorOfFailure(error.failure);
  return error instanceof KeyReused ? new ApiError('idempotency_key_reused') : error;
};

const requireSuccess = (outcome: Outcome): void => {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'failed':
      throw errorOfFailure(outcome.failure);
    case 'deleted':
      throw new ApiError('deleted_meanwhile');
    case 'put-off':
      throw new ApiError('put_off');
  }
};

/**
 * `POST /v1/file`.
 *
 * Everything that can be refused without the file is refused before it is received. A synchronous upload whose client
 * goes away while it is processed is finished all the same and kept like any other: the client may have been cut off
 * by a proxy's time-out, and finds the result in the task list, or by sending it again with the same key.
 */
export const uploadFile: Handler<'uploadFile'> = async ({ given, request, service }) => {
  const { ignoredParameters = [] } = request;
  refuseUnknown(ignoredParameters, service);
  const options = await optionsOf(given, service.settings);
  await requireShown(service, options.show);
  const video = videoOptions(given);
  const webhook = webhookTarget(given, service);
  const isAsync = wantsAsync(request);
  const idempotencyKey = idempotencyKeyOf(request);
  const admit: Admit = (load) => refuseWhenUnable(service, isAsync, load);
  const load = await service.tasks.load();
  // Asked after the load: the load may consist of an upload with the same key, which arrived at the same time.
  if (idempotencyKey === undefined || !(await service.tasks.isRepeated(idempotencyKey))) admit(load);

  const withDigest = idempotencyKey !== undefined;
  const submitted = await receiveMedia(request, service, { withDigest })
    // Admitted again: other uploads may have arrived while this one was on its way.
    .then(async ({ part, ...media }) => {
      const { signal } = request;
      const given = await checkMedia({ ...media, ...(part && { part }) }, options, video, {
        service,
        signal,
      });
      const asked = { options, video, webhook, ignoredParameters, isAwaited: !isAsync, idempotencyKey };
      return service.tasks.submit({ ...media, ...asked, ...(given && { given }) }, admit);
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  if (!isAsync) requireSuccess(await submitted.outcome);
  return {
    value: {
      ...uploadResponse(submitted.task, service.settings.baseUrl),
      ...(ignoredParameters.length > 0 && { ignored_parameters: ignoredParameters }),
    },
  };
};
