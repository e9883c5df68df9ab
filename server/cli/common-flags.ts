import type { KeyObject } from 'node:crypto';
import { ApiError } from '#shared/api/contract/errors';
import { parseReasons, parseTiling } from '#shared/api/handlers/image-options';
import { LIMITS } from '#shared/domain/limits';
import { isDefaultClass, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { RequestedTiling } from '#shared/domain/options';
import type { ReasonCode } from '#shared/domain/reasons';
import { SAVE_MASK_CHOICES } from '#shared/tasks/base/settings';
import { LOG_FORMATS, LOG_LEVELS } from '../adapters/log';
import { PRIVATE_KEY_FORM, readPrivateKey } from '../adapters/report-keys';
import {
  FlagError,
  type Flag,
  flag,
  fromFile,
  notEmpty,
  lastOf,
  oneOf,
  onOff,
  pixels,
  taskTime,
  wholeNumber,
} from './flag';

const MAX_WORKERS = 64;
/** Maximum of `--max-pixels`: 2 GiB as RGBA, the largest buffer that all runtimes support. */
const MAX_PIXELS = 2 ** 29;
/** Maximum of `--max-video-pixels`: a month of 8192 × 4096 pixels at 60 frames a second. */
const MAX_VIDEO_PIXELS = 2 ** 53 - 1;
/** Maximum of `--task-timeout`, because timers cannot wait longer. */
const MAX_TASK_DAYS = 24;

const classes = (texts: readonly string[], label: string): readonly ObjectClass[] => {
  const chosen = texts.map((text) => oneOf(OBJECT_CLASSES)(text, label));
  return OBJECT_CLASSES.filter((objectClass) => chosen.includes(objectClass));
};

const OFF_BY_DEFAULT = OBJECT_CLASSES.filter((name) => !isDefaultClass(name));

const tiling = (text: string, label: string): RequestedTiling => {
  try {
    return parseTiling(text);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace('`format`', label));
    throw error;
  }
};

const reasons = (text: string, label: string): readonly ReasonCode[] => {
  try {
    return parseReasons(text);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(`${label} is refused: ${error.message}`);
    throw error;
  }
};

const privateKey = (text: string, label: string): KeyObject => {
  const key = readPrivateKey(text);
  // The message does not contain the text, which is a secret even if it is wrong.
  if (!key) throw new FlagError(`${label} must be ${PRIVATE_KEY_FORM}.`);
  return key;
};

/** Flags of both the server and batch mode. */
export const COMMON_FLAGS: readonly Flag[] = [
  flag(
    'anonymise <class>',
    `class to process: ${OBJECT_CLASSES.join(', ')}; repeat it for several (all except ${OFF_BY_DEFAULT.join(', ')})`,
    (texts, label) => ({ classes: classes(texts, label) }),
    { short: 'a', repeated: true },
  ),
  flag(
    'format <tiling>',
    'tiling of images and videos before detection, unless a request sets it: whole, auto, guess, pano:N or JSON (files: auto, server: whole)',
    lastOf(tiling, (format) => ({ format })),
  ),
  flag(
    'reasons <file>',
    'JSON file with codes of reasons for which objects are hidden, which edits, report and log name (none)',
    lastOf(fromFile(reasons), (list) => ({ reasons: list })),
  ),
  flag(
    'save-mask <which>',
    'masks saved next to each result: all, binary, instance or none (none)',
    lastOf(oneOf(SAVE_MASK_CHOICES), (saveMask) => ({ saveMask })),
  ),
  flag(
    'keep-metadata',
    'keeps camera, exposure, date, GPS and panorama fields of images, and date and positions of videos; all other metadata is always removed',
    lastOf(onOff, (keepMetadata) => ({ keepMetadata })),
  ),
  flag(
    'output <folder>',
    'folder for results; the server keeps them until their task is deleted (.veil/output)',
    lastOf(notEmpty, (outputFolder) => ({ outputFolder })),
    { short: 'o' },
  ),
  flag(
    'max-pixels <number>',
    `largest image, width times height, such as 24MP (${LIMITS.maxPixels})`,
    lastOf(pixels(MAX_PIXELS), (maxPixels) => ({ limits: { maxPixels } })),
  ),
  flag(
    'max-video-pixels <number>',
    `largest video, width times height times frames, such as 500GP (${LIMITS.maxVideoTotalPixels / 1e9}GP)`,
    lastOf(pixels(MAX_VIDEO_PIXELS), (maxVideoTotalPixels) => ({ limits: { maxVideoTotalPixels } })),
  ),
  flag(
    'task-timeout <duration>',
    'maximum time for processing one image or video, such as 30m, or with more time for each megapixel of the image or of all frames (10m+60s/MP)',
    lastOf(taskTime(MAX_TASK_DAYS), (time) => time),
  ),
  flag(
    'ffmpeg <path|off>',
    'ffmpeg program for video formats that Veil does not read itself, such as AVI; off: these are refused (the one on the PATH)',
    lastOf(notEmpty, (ffmpeg) => ({ ffmpeg })),
  ),
  flag(
    'packs <folder>',
    'folder of installed model packs; detection uses their models (models/installed)',
    lastOf(notEmpty, (packsFolder) => ({ packsFolder })),
  ),
  flag(
    'workers <number>',
    'files processed at the same time (half the cores)',
    lastOf(wholeNumber(1, MAX_WORKERS), (workers) => ({ workers })),
  ),
  flag(
    'log-level <level>',
    `log level: ${LOG_LEVELS.join(', ')} (info)`,
    lastOf(oneOf(LOG_LEVELS), (logLevel) => ({ logLevel })),
  ),
  flag(
    'log-format <format>',
    'log format: json or pretty (pretty on a terminal, json elsewhere)',
    lastOf(oneOf(LOG_FORMATS), (logFormat) => ({ logFormat })),
  ),
  flag(
    'report-key <file>',
    'PEM file with the Ed25519 private key that signs reports (reports are not signed)',
    lastOf(fromFile(privateKey), (reportKey) => ({ reportKey })),
  ),
];
