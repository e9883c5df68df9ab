import { Type, type Static, type TSchema } from 'typebox';
import { METADATA_KINDS } from '../../domain/image-header';
import { DEFAULT_CLASSES, perClass } from '../../catalogue/classes';
import { REPORT_FORMAT, SIGNATURE_ALGORITHM } from '../../report/signed-report';
import { DecisionRecord, MutedRange } from './schemas-edits';
import { AnonymisedQuery } from './schemas-results';
import { time, timeOrNull, orNull, projection, toneMapped } from './schemas-tasks';
import { ignoredParameters } from './schemas-upload';

const count = Type.Integer({ minimum: 0 });
const frame = Type.Integer({ minimum: 0, description: 'Number of the frame, from 0.' });
const sha256 = orNull(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
  description: 'Null if it was not recorded.',
});
const size = orNull(count, { description: 'In bytes; null if it was not recorded.' });
const bytesAsHex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${2 * bytes}}$` });
const kinds = Type.Array(Type.Enum([...METADATA_KINDS]));

const FileFacts = Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }), size: count });

/** One value for each default class; others have one where they are selected or drawn, or `hides` names areas. */
const countsOf = <S extends TSchema>(schema: S) =>
  Type.Object({
    ...perClass(() => Type.Optional(schema)),
    area: Type.Optional(schema),
    ...perClass(() => schema, DEFAULT_CLASSES),
  });

/** Counts of the classes that occur. */
const someClasses = Type.Partial(countsOf(count));

const Frames = Type.Object({
  count: orNull(count, { description: 'Null if it was not recorded.' }),
  counts: Type.Array(
    Type.Object({ first: frame, last: frame, detected: someClasses, anonymised: someClasses }),
    { description: 'Runs of frames with equal counts, and the counts of each of these frames.' },
  ),
  without_detections: Type.Array(Type.Object({ first: frame, last: frame }), {
    description: 'Runs of frames in which nothing was detected.',
  }),
});

const AppliedEdits = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'How often edits replaced the result.' }),
  applied: Type.Array(
    Type.Object({
      at: time,
      version: Type.String(),
      reviewer: Type.Optional(Type.String({ description: 'As the edits named it.' })),
      decided: Type.Optional(
        Type.Integer({ minimum: 1, description: 'How many objects and areas the edits named, if any.' }),
      ),
    }),
    { description: 'The recorded replacements, oldest first.' },
  ),
  decisions: Type.Array(DecisionRecord, {
    description: 'What persons decided about single objects and places, in the order of the latest request.',
  }),
  in_force: Type.Object(
    {},
    { additionalProperties: true, description: 'In the form of `GET /v1/task/{id}/edits`.' },
  ),
});

const Result = Type.Object({
  content_type: Type.String(),
  sha256,
  size,
  variant: orNull(
    Type.Object({
      download: Type.Optional(Type.Enum(['JPEG', 'PNG'])),
      quality: Type.Optional(Type.Integer()),
      'compress-level': Type.Optional(Type.Integer()),
    }),
    {
      description:
        'Parameters of a download that differs from the stored result; null for the stored result.',
    },
  ),
});

const Audio = Type.Object({
  is_muted: Type.Boolean({ description: 'If false, audio tracks are copied unless they are counted here.' }),
  reencoded_tracks: orNull(count),
  dropped_tracks: orNull(count),
  dropped_codecs: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Codec of each dropped track; absent if there are none, or it was not recorded.',
    }),
  ),
  reencoded_codecs: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Codec in the result of each track that was encoded again to remove parts of it; absent if there are none.',
    }),
  ),
  muted_ranges: Type.Array(MutedRange, {
    description: 'Parts whose sound edits have removed, in the form of `mute` in edits.',
  }),
});

const Metadata = Type.Object(
  { removed: kinds, kept: kinds },
  {
    description:
      'Kinds of metadata in the source. Of kept kinds, only the fields of a list are kept: camera, date, GPS and panorama of an image, date and positions of a video. A track with positions is new: the track that they come from is `telemetry`, which is always removed.',
  },
);

const Tracks = Type.Object({
  in_result: Type.Object({
    video: count,
    audio: count,
    data: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'A new track with nothing but positions; absent if there is none.',
      }),
    ),
  }),
  removed: Type.Object({ video: count, audio: count, subtitles: count, data: count }),
});

/** Query of `GET …/report` and `GET …/report.html`: which download of an image the report names as its result. */
export const ReportQuery = AnonymisedQuery;
export type ReportQuery = Static<typeof ReportQuery>;

/** How a file was processed. Its text is canonical JSON (RFC 8785). */
export const Report = Type.Object({
  format: Type.Enum([REPORT_FORMAT]),
  id: Type.String({ format: 'uuid' }),
  filename: Type.String(),
  content_type: Type.String(),
  created_at: time,
  started_at: timeOrNull,
  finished_at: timeOrNull,
  version: orNull(Type.String(), {
    description: 'Version of Veil that processed the file; null if it was not recorded.',
  }),
  models: orNull(Type.Array(Type.Object({ id: Type.String(), sha256: Type.String() })), {
    description: 'Models for the wanted classes; null if they were not recorded.',
  }),
  parameters: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: 'The query of the upload, with all defaults.',
  }),
  ignored_parameters: ignoredParameters,
  source: Type.Object({ sha256, size }),
  detections: Type.Optional(
    Type.Object(
      { sha256, size },
      {
        description: 'The file of detections that came with the upload; absent if the upload was searched.',
      },
    ),
  ),
  tone_mapped: toneMapped,
  projection,
  result: orNull(Result, { description: 'Null if nothing was anonymised.' }),
  counts: countsOf(Type.Object({ detected: count, anonymised: count })),
  frames: Frames,
  edits: AppliedEdits,
  redactions: Type.Object(
    { count, json: FileFacts, csv: FileFacts },
    {
      description:
        'Number of rows of the log of the stored result, and what its two forms are recognised by.',
    },
  ),
  metadata: orNull(Metadata, {
    description:
      'Null if it was not recorded, as for videos that are neither MP4, QuickTime, WebM nor Matroska, and without a result.',
  }),
  tracks: orNull(Tracks, {
    description:
      'Numbers of tracks of the source; chapters are data. Null for images, without a result, and if `metadata` was not recorded.',
  }),
  audio: orNull(Audio, { description: 'Null for images.' }),
  warnings: Type.Array(Type.String()),
  signature: orNull(
    Type.Object({
      algorithm: Type.Enum([SIGNATURE_ALGORITHM]),
      public_key: bytesAsHex(32),
      value: bytesAsHex(64),
    }),
    {
      description:
        'Signature of the canonical JSON of the report without this field; null if the service has no key.',
    },
  ),
});
export type Report = Static<typeof Report>;
