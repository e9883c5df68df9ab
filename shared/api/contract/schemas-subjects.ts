import { Type, type Static } from 'typebox';
import { UUID_PATTERN } from '../../catalogue/parameters';
import { LIMITS } from '../../domain/limits';

/** The field `show` of edits. */
export const shownByEdits = Type.Optional(
  Type.String({
    title: 'the id of a subject, or `none`',
    pattern: `${UUID_PATTERN}|^none$`,
    description: 'Subject whose face is not anonymised, or `none`; if absent, as uploaded.',
  }),
);

/** A person whose face stays visible where a request names it. The answer contains no biometric data. */
export const SubjectResponse = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: Type.String({ description: 'ISO 8601, UTC, without a zone.' }),
  photos: Type.Integer({
    minimum: 1,
    maximum: LIMITS.maxSubjectPhotos,
    description: 'Number of sample photos. They are not kept.',
  }),
});
export type SubjectResponse = Static<typeof SubjectResponse>;

export const SubjectListResponse = Type.Array(SubjectResponse);
