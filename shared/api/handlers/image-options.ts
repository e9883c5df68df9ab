import { Type } from 'typebox';
import {
  type ObjectClass,
  isDefaultClass,
  namedClasses,
  OBJECT_CLASSES,
  perClass,
} from '../../catalogue/classes';
import { commonOptions, DEFAULT_QUERY, type UploadQuery } from '../../catalogue/derive-parameters';
import type { ImageOptions, RequestedTiling, Tiling } from '../../domain/options';
import type { ServiceSettings } from '../../tasks/base/settings';
import { ApiError } from '../contract/errors';
import { LIMITS } from '../../domain/limits';
import { checkBody, matchesSchema } from '../http/json-body';
import { badParameter, invalidValueError } from '../http/query';
import { GridFormat, ReasonCodes, uploadSchema } from '../contract/schemas-upload';
import { parseJson } from '../http/parse-json';
import { parseIgnores } from './areas';
import { requireCode, requireDifferentCodes } from './edits/check-reasons';
import type { ReasonCode } from '../../domain/reasons';

const PANORAMA = /^pano:(\d{1,6})$/;

const parsePanorama = (text: string, digits: string): Tiling => {
  const { minPanoramaPx, maxPanoramaPx } = LIMITS;
  const width = Number(digits);
  if (width < minPanoramaPx || width > maxPanoramaPx) {
    throw badParameter('format', `\`pano:N\` with N from ${minPanoramaPx} to ${maxPanoramaPx}`, text);
  }
  return { kind: 'pano', width };
};

/**
 * Reads the text of `format`: `whole` (bare, as clients send it, or as JSON), `auto`, `guess`, `pano:N`, or a grid as JSON.
 *
 * @throws ApiError whose message says what is allowed
 */
export const parseTiling = (text: string): RequestedTiling => {
  if (text === 'auto' || text === 'guess') return { kind: text };
  if (text === 'whole' || text === '"whole"') return { kind: 'whole' };
  const panorama = PANORAMA.exec(text);
  if (panorama) return parsePanorama(text, panorama[1]!);
  const value = parseJson(text);
  if (!matchesSchema(GridFormat, value)) {
    throw invalidValueError('format', uploadSchema.properties.format, text);
  }
  const { number, overlap } = value;
  if (number[0] * number[1] > LIMITS.maxTiles) {
    throw badParameter('format', `at most ${LIMITS.maxTiles} tiles`, text);
  }
  return { kind: 'grid', number, overlap };
};

const ReasonsBody = Type.Object({ reasons: ReasonCodes });

/** Reads the JSON text of `reasons`. @throws ApiError 422 */
export const parseReasons = (text: string): readonly ReasonCode[] => {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw invalidValueError('reasons', uploadSchema.properties.reasons, text);
  const { reasons } = checkBody(ReasonsBody, { reasons: value }, LIMITS.maxJsonBytes);
  requireDifferentCodes(reasons);
  return reasons;
};

/**
 * Which classes a request selects: those it switches on, or else all that the service offers but those it switches off.
 * Classes that are off by default can be switched on at every service, whatever it was started with.
 *
 * Switching all off is refused: the answer would be an untouched image that calls itself anonymised.
 */
const selectClasses = (
  given: Partial<Record<ObjectClass, boolean>>,
  offered: readonly ObjectClass[],
): ObjectClass[] => {
  const switchedOn = OBJECT_CLASSES.filter((objectClass) => given[objectClass] === true);
  const missing = switchedOn.find(
    (objectClass) => isDefaultClass(objectClass) && !offered.includes(objectClass),
  );
  if (missing) throw new ApiError('class_not_offered', missing, offered.join(', '));
  if (switchedOn.length > 0) return switchedOn;
  const left = OBJECT_CLASSES.filter(
    (objectClass) => offered.includes(objectClass) && given[objectClass] !== false,
  );
  if (left.length === 0) throw new ApiError('no_class_left', offered.join(', '));
  return left;
};

/** `segmentation-threshold` (deprecated) stands for the thresholds of persons and vehicles that are not given. */
const withSegmentationThreshold = (given: Partial<UploadQuery>): Partial<UploadQuery> => {
  const shared = given['segmentation-threshold'];
  return shared === undefined ? given : { 'person-threshold': shared, 'vehicle-threshold': shared, ...given };
};

/** What classes have of their own; absent where none has. */
const ofClasses = (given: Partial<UploadQuery>): Pick<ImageOptions, 'methods' | 'margins'> => {
  const listed = (own: 'method' | 'margin') =>
    OBJECT_CLASSES.flatMap((name) => {
      const value = given[`${name}-${own}`];
      return value === undefined ? [] : [[name, value] as const];
    });
  const [methods, margins] = [listed('method'), listed('margin')];
  return {
    ...(methods.length > 0 && { methods: Object.fromEntries(methods) }),
    ...(margins.length > 0 && { margins: Object.fromEntries(margins) }),
  };
};

/** Absent where no reason is given. @throws ApiError 422 */
const reasonOptions = (
  given: Partial<UploadQuery>,
  offered: readonly ReasonCode[] = [],
): Pick<ImageOptions, 'reasons' | 'classReasons'> => {
  const reasons = given.reasons === undefined ? offered : parseReasons(given.reasons);
  const codes = OBJECT_CLASSES.flatMap((name) => {
    const code = given[`${name}-reason`];
    if (code !== undefined) requireCode(`${name}-reason`, code, reasons);
    return code === undefined ? [] : [[name, code] as const];
  });
  return {
    ...(reasons.length > 0 && { reasons }),
    ...(codes.length > 0 && { classReasons: Object.fromEntries(codes) }),
  };
};

/**
 * What an upload's query asks for, in the pipeline's words, but for `hides`: `optionsWithAreas`.
 *
 * @param given the parameters that were sent, checked one by one
 * @throws ApiError 422
 */
export const imageOptions = (
  given: Partial<UploadQuery>,
  { classes, format, reasons }: Pick<ServiceSettings, 'classes' | 'format' | 'reasons'>,
): ImageOptions => {
  const query = { ...DEFAULT_QUERY, ...withSegmentationThreshold(given) };
  const selected = selectClasses(given, classes);
  const { hides: _text, ...common } = commonOptions(query);
  return {
    ...common,
    classes: selected,
    thresholds: perClass((name) => query[`${name}-threshold`], namedClasses(selected)),
    format: query.format === undefined ? format : parseTiling(query.format),
    ignores: query.ignores === undefined ? [] : parseIgnores(query.ignores),
    ...ofClasses(given),
    ...reasonOptions(given, reasons),
    ...(query.show === undefined ? {} : { show: query.show.toLowerCase() }),
  };
};
