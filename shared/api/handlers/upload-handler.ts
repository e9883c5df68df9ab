import { videoOptions } from '../../catalogue/derive-parameters';
import { UnreadableFile } from '../../domain/unreadable-file';
import type { Admit, ServiceLoad } from '../../tasks/accept/accept-upload';
import { KeyReused } from '../../tasks/accept/idempotency';
import type { Outcome } from '../../tasks/run/outcome';
import { ApiError, errorOfFailure } from '../contract/errors';
import { headerText } from '../http/header-text';
import type { Asked } from '../http/http';
import { imageOptions } from './image-options';
import { LIMITS } from '../../domain/limits';
import { uploadResponse } from '../contract/links';
import { badParameter, quoted } from '../http/query';
import { receiveMedia } from './receive-media';
import type { ApiService, Handler } from './service';
import { requireShown } from './subjects/find-subject';
import { wantsAsync } from './wants-async';
import { webhookTarget } from './webhook-target';

const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/**
 * An empty key is refused, not taken for none: Chromium empties a value that is not UTF-8 on its way to a service
 * worker, and a repeated upload would be done twice.
 */
const idempotencyKeyOf = ({ headers }: Asked): string | undefined => {
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
  const options = imageOptions(given, service.settings);
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
    .then((media) =>
      service.tasks.submit(
        { ...media, options, video, webhook, ignoredParameters, isAwaited: !isAsync, idempotencyKey },
        admit,
      ),
    )
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
