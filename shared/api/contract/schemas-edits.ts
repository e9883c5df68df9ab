import { Type, type Static } from 'typebox';
import { MAX_CASE_CHARS, MAX_CODE_CHARS } from '../../catalogue/parameters';
import { LIMITS } from '../../domain/limits';
import { OBJECT_CLASSES, perClass } from '../../catalogue/classes';
import { HIDING_METHODS, METHODS } from '../../catalogue/methods';
import { HiddenAreas } from './schemas-areas';
import { shownByEdits, ResultResponse } from './schemas-tasks';
import { IgnoreArea, lineOf, ReasonCodes } from './schemas-upload';
import { DetectionMetadata } from './schemas-results';

/** No field next to those named: a misspelt one would otherwise leave an object visible. */
const CLOSED = { additionalProperties: false } as const;

const method = Type.Enum([...HIDING_METHODS], {
  description: 'Instead of the method of its class, or of the file.',
});
const objectClass = Type.Enum([...OBJECT_CLASSES]);
const hidden = Type.Boolean({ description: 'Whether it is anonymised; true if absent.' });
const px = Type.Number();
/** Far behind the end of each video, and exact in microseconds. */
const MAX_SECONDS = 1_000_000_000;
const seconds = Type.Number({ minimum: 0, maximum: MAX_SECONDS });
const bboxWith = (note = '') =>
  Type.Tuple([px, px, px, px], {
    title: '[x1, y1, x2, y2] with x1 < x2 and y1 < y2',
    description: `[x1, y1, x2, y2] in pixels of the upright image.${note}`,
  });
const bbox = bboxWith();
const reason = lineOf(MAX_CODE_CHARS, 'Why it is anonymised: a code of `reasons`; if absent, as its class.');
const frame = (description: string) => Type.Integer({ minimum: 0, description });
const time = (description: string) => Type.Number({ minimum: 0, maximum: MAX_SECONDS, description });
const start = Type.Optional(time('Videos only: begin in seconds, instead of `from`.'));
const end = Type.Optional(time('Videos only: end in seconds, exclusive, instead of `to`.'));

const optionalPerClass = <S extends Type.TSchema>(schema: S) =>
  Type.Object(
    perClass(() => Type.Optional(schema)),
    CLOSED,
  );

const ofCase = (description: string) => Type.Optional(lineOf(MAX_CASE_CHARS, description));
/** The case to which a file belongs. */
export const CaseDetails = Type.Object(
  {
    number: ofCase('Number of the case.'),
    requester: ofCase('Who requested the file.'),
    recipient: ofCase('Who receives the result.'),
    operator: ofCase('Who anonymises the file.'),
  },
  CLOSED,
);

/** A change to one detected object. */
export const ObjectEdit = Type.Object(
  {
    id: Type.Integer({
      minimum: 0,
      description: 'Of the detection in the first result or among the candidates; in videos, its `track_id`.',
    }),
    hidden: Type.Optional(hidden),
    deleted: Type.Optional(
      Type.Boolean({ description: 'A false detection: not anonymised and not reported.' }),
    ),
    bbox: Type.Optional(
      bboxWith(' In videos its place in `frame`: in all frames it is moved and stretched like there.'),
    ),
    type_label: Type.Optional(objectClass),
    method: Type.Optional(method),
    reason: Type.Optional(reason),
    frame: Type.Optional(
      frame('Videos only: the frame of `bbox`, in which the object was found. It or `at` is required there.'),
    ),
    at: Type.Optional(
      time('Videos only: a moment in seconds at which that frame is shown, instead of `frame`.'),
    ),
    from: Type.Optional(
      frame(
        'Videos only: first frame of the change. Without `hidden` and `deleted`, the object stays anonymised elsewhere.',
      ),
    ),
    to: Type.Optional(frame('Videos only: last frame of the change, inclusive.')),
    start,
    end,
  },
  CLOSED,
);

/** An area that a person drew. */
export const AreaEdit = Type.Object(
  {
    type_label: objectClass,
    shape: Type.Enum(['box', 'ellipse', 'stroke']),
    bbox: Type.Optional(bbox),
    points: Type.Optional(
      Type.Array(Type.Tuple([px, px], { title: '[x, y]' }), {
        minItems: 1,
        maxItems: LIMITS.maxStrokePoints,
        title: `1 to ${LIMITS.maxStrokePoints} points [x, y]`,
        description: 'Of a stroke.',
      }),
    ),
    radius: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.maxSidePx, description: 'Of a stroke, in pixels.' }),
    ),
    method: Type.Optional(method),
    hidden: Type.Optional(hidden),
    reason: Type.Optional(reason),
    frame: Type.Optional(
      frame('Videos only: the frame on which it was drawn. It or `at` is required there.'),
    ),
    from: Type.Optional(frame('Videos only: first frame in which it is anonymised.')),
    to: Type.Optional(frame('Videos only: last frame in which it is anonymised, inclusive.')),
    at: Type.Optional(
      time('Videos only: a moment in seconds at which that frame is shown, instead of `frame`.'),
    ),
    start,
    end,
  },
  CLOSED,
);

/** How an area of a video was followed. */
export const FollowedArea = Type.Object({
  area: Type.Integer({ minimum: 0, description: 'Index of the area.' }),
  from: Type.Number({ description: 'It is anonymised from this moment on, in seconds.' }),
  seen_until: Type.Number({ description: 'It was last recognised at this moment.' }),
  until: Type.Number({ description: 'It is anonymised until this moment.' }),
});

/** A part of a video whose sound is removed. */
export const MutedRange = Type.Union([
  Type.Tuple([seconds, seconds], { title: '[start, end] in seconds, with a start before the end' }),
  Type.Object(
    {
      start: seconds,
      end: seconds,
      as: Type.Optional(
        Type.Enum(['silence', 'bleep'], {
          description: 'What is heard instead: nothing, or a tone of 1 kHz at −20 dBFS. If absent, nothing.',
        }),
      ),
      reason: Type.Optional(lineOf(MAX_CODE_CHARS, 'Why it is removed: a code of `reasons`.')),
    },
    CLOSED,
  ),
]);

/** Body of `PUT …/edits`, and answer of `GET …/edits`. A field that is absent stays as uploaded. */
export const Edits = Type.Object(
  {
    method: Type.Optional(Type.Enum([...METHODS])),
    methods: Type.Optional(optionalPerClass(method)),
    classes: Type.Optional(
      Type.Array(objectClass, {
        uniqueItems: true,
        maxItems: OBJECT_CLASSES.length,
        title: 'a list of different classes',
      }),
    ),
    thresholds: Type.Optional(optionalPerClass(Type.Number({ minimum: 0, maximum: 1 }))),
    objects: Type.Optional(
      Type.Array(ObjectEdit, {
        maxItems: LIMITS.maxEdits,
        title: `a list of at most ${LIMITS.maxEdits} objects`,
      }),
    ),
    areas: Type.Optional(
      Type.Array(AreaEdit, {
        maxItems: LIMITS.maxEdits,
        title: `a list of at most ${LIMITS.maxEdits} areas`,
      }),
    ),
    ignores: Type.Optional(
      Type.Array(IgnoreArea, {
        maxItems: LIMITS.maxIgnoreAreas,
        title: `a list of at most ${LIMITS.maxIgnoreAreas} areas`,
        description: 'Areas that are not anonymised, instead of those of the upload.',
      }),
    ),
    hides: Type.Optional(HiddenAreas),
    mute: Type.Optional(
      Type.Array(MutedRange, {
        maxItems: LIMITS.maxMutedRanges,
        title: `a list of at most ${LIMITS.maxMutedRanges} time ranges`,
        description:
          'Videos only: parts whose sound is removed, as [start, end] in seconds, or as an object with a reason or a bleep. The service sorts them and joins those that differ in nothing else; what lies behind the end has no effect. The audio elsewhere is unchanged where its codec allows it; with a bleep, its track is encoded again.',
      }),
    ),
    audio: Type.Optional(
      Type.Enum(['mute'], {
        description: 'Videos only: the result has no audio. If absent, the audio is as uploaded.',
      }),
    ),
    followed: Type.Optional(
      Type.Array(FollowedArea, {
        readOnly: true,
        description: 'Videos only: how drawn areas were followed. Ignored in requests.',
      }),
    ),
    keep_metadata: Type.Optional(
      Type.Boolean({
        description:
          'Whether camera, date, GPS and panorama fields of an image, or date and positions of a video, stay in the result.',
      }),
    ),
    reviewer: Type.Optional(
      lineOf(LIMITS.maxReviewerChars, 'The person who decided these edits; the report names it.'),
    ),
    show: shownByEdits,
    reasons: Type.Optional(ReasonCodes),
    class_reasons: Type.Optional(optionalPerClass(reason)),
    case: Type.Optional(CaseDetails),
  },
  CLOSED,
);
/** Edits as a client sent them; see `Edits` of the domain for checked ones. */
export type EditsBody = Static<typeof Edits>;

/** Answer of `DELETE …/edits`. */
export const StoppedEditsResponse = Type.Object({
  ...ResultResponse.properties,
  stopped: Type.Boolean({
    description: 'False if no edits waited or ran any more: edits that were applied before stay.',
  }),
});
export type StoppedEditsResponse = Static<typeof StoppedEditsResponse>;

/** An object that the detectors found, whether or not its score reaches the threshold. */
export const Candidate = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'The id by which edits refer to it; it never changes.' }),
  type: DetectionMetadata.properties.type,
  type_label: Type.String(),
  score: DetectionMetadata.properties.score,
  bbox,
});
export type Candidate = Static<typeof Candidate>;

export const CandidatesResponse = Type.Object({
  lowest_score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Objects with lower scores are not listed, and thresholds of edits cannot be lower.',
  }),
  classes: Type.Array(objectClass, { description: 'Classes that the detectors searched for.' }),
  size: Type.Tuple([Type.Integer(), Type.Integer()], { description: '[width, height]' }),
  spared_memory: Type.Boolean({
    description: 'Whether the image was searched in parts, because memory was short.',
  }),
  candidates: Type.Array(Candidate),
});
export type CandidatesResponse = Static<typeof CandidatesResponse>;

const decision = {
  decision: Type.Enum(['hidden', 'visible'], {
    description:
      'Whether the person decided that it is anonymised, or that it may be seen or is no such object.',
  }),
  type_label: AreaEdit.properties.type_label,
  id: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Of the object, as edits refer to it. Absent for a place where the detectors found nothing: it has a `bbox`.',
    }),
  ),
  bbox: Type.Optional(bboxWith(' Images only.')),
  time: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Videos only: moment of the frame that the person saw, in seconds.',
    }),
  ),
};

/** Body of `PUT …/decisions`. */
export const Decisions = Type.Object(
  {
    decisions: Type.Array(Type.Object(decision, { additionalProperties: false }), {
      maxItems: LIMITS.maxDecisions,
      title: `a list of at most ${LIMITS.maxDecisions} decisions`,
    }),
    reviewer: Edits.properties.reviewer,
  },
  { additionalProperties: false },
);
export type Decisions = Static<typeof Decisions>;

/** A decision in the report. */
export const DecisionRecord = Type.Object({
  ...decision,
  at: Type.String({ description: 'ISO 8601, UTC, without a zone: when the service received it first.' }),
  reviewer: Type.Optional(Type.String({ description: 'As the first request with this decision named it.' })),
});
export type DecisionRecord = Static<typeof DecisionRecord>;

/** Answer of `GET …/decisions`. */
export const DecisionsResponse = Type.Object({ decisions: Type.Array(DecisionRecord) });
export type DecisionsResponse = Static<typeof DecisionsResponse>;

/** Query of `POST …/release`. */
export const ReleaseQuery = Type.Object({
  reviewer: Type.Optional(
    lineOf(LIMITS.maxReviewerChars, 'The person who releases the file; its record names it.'),
  ),
});
export type ReleaseQuery = Static<typeof ReleaseQuery>;
